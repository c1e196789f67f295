// EXPECT: verified 1
// unlock_shared synchronises with a later lock: the writer sees what the reader has done before. That it comes later follows from the
// flag, which itself orders nothing. (What was read in vain is blocked.)
#include <atomic>
#include <cassert>
#include <mutex>
#include <shared_mutex>
#include <thread>

std::shared_mutex guard;
std::atomic<bool> done;
int data;

int main() {
  std::thread a([] {
    {
      std::shared_lock lock(guard);
      data = 1;
    }
    done.store(true, std::memory_order_relaxed);
  });
  while (!done.load(std::memory_order_relaxed)) {
  }
  {
    std::unique_lock lock(guard);
    assert(data == 1);
  }
  a.join();
}
