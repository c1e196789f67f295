// EXPECT: verified 5
// FLAGS: -O2
// The variables of a function stay while the functions that it calls return. (GCC makes a jump of the last call in a function; in
// the destructor of a std::thread's state that is the mark of its end.) Classes: the first load reads 0 or 1; the second, after 0, any
// of 0, 1, 2, and after 1 what coherence leaves, 1 or 2.
#include <atomic>
#include <thread>

__attribute__((noinline)) void run() {
  std::atomic<int> x{0};
  std::thread a([&x] { x.store(1, std::memory_order_relaxed); });
  x.load(std::memory_order_relaxed);
  std::thread b([&x] { x.store(2, std::memory_order_relaxed); });
  x.load(std::memory_order_relaxed);
  a.join();
  b.join();
}

int main() { run(); }
