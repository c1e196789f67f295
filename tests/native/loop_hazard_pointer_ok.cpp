// EXPECT: verified 80
// OPTIONS: --model rc11 --no-spurious
// LEVELS: O0 O2
// A hazard pointer that protects what two other threads replace.
//
// 80 classes, by the reference, without any rule and with all of them: the store of a turn in vain is seen by the others, so every turn
// counts.
#include <atomic>
#include <thread>

std::atomic<int> shared, hazard;

int main() {
  std::thread a([] {
    int read = shared.load(std::memory_order_acquire);
    for (;;) {
      hazard.store(read, std::memory_order_relaxed);
      std::atomic_thread_fence(std::memory_order_seq_cst);
      const int again = shared.load(std::memory_order_acquire);
      if (again == read) break;
      read = again;
    }
  });
  auto replace = [](int value) {
    shared.exchange(value, std::memory_order_acq_rel);
    std::atomic_thread_fence(std::memory_order_seq_cst);
    (void)hazard.load(std::memory_order_acquire);
  };
  std::thread b(replace, 1), c(replace, 2);
  a.join();
  b.join();
  c.join();
}
