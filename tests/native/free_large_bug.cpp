// EXPECT: bug data-race use after free (race between free and access)
// A block is freed behind the use of its last byte, which nothing orders before that.
#include <atomic>
#include <thread>

std::atomic<bool> used;

int main() {
  char* block = new char[20000]();
  std::thread user([block] {
    block[19999] = 1;  // BUG
    used.store(true, std::memory_order_relaxed);
  });
  std::thread owner([block] {
    if (used.load(std::memory_order_relaxed)) delete[] block;  // BUG
  });
  user.join();
  owner.join();
}
