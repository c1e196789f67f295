// EXPECT: verified 6
// Set-up opens a file, from which a thread reads on: each execution must begin at its start. The loads give 6 classes, as in
// milestone_mapping_ok.
#include <fcntl.h>
#include <unistd.h>

#include <atomic>
#include <cassert>
#include <thread>

std::atomic<int> x;

int main() {
  const int file = open("/proc/self/cmdline", O_RDONLY);
  assert(file >= 0);
  std::thread writer([=] {
    x.store(1, std::memory_order_relaxed);
    char first = 0;
    assert(read(file, &first, 1) == 1);
    x.store(2, std::memory_order_relaxed);
  });
  std::thread reader([] {
    (void)x.load(std::memory_order_relaxed);
    (void)x.load(std::memory_order_relaxed);
  });
  writer.join();
  reader.join();
  assert(lseek(file, 0, SEEK_CUR) == 1);
}
