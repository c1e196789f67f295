// EXPECT: verified 4
// OPTIONS: --model rc11 --no-spurious
// LEVELS: O0 O2
// Six looks at a flag, then an exchange, whether the flag was seen or not.
//
// 4 classes: some look sees 3 (it might have been the first: the counter is not used any more), or all six see the same, 0, 1 or 2 (two
// turns that see different stores might both have seen the second's). The looks change nothing but the counter. With all turns: 84.
#include <atomic>
#include <thread>

std::atomic<int> flag, parked;

int main() {
  std::thread a([] {
    for (int i = 0; i < 6; ++i) {
      if (flag.load(std::memory_order_acquire) == 3) break;
    }
    parked.exchange(1, std::memory_order_acq_rel);
  });
  std::thread b([] {
    for (int i = 1; i <= 3; ++i) flag.store(i, std::memory_order_release);
  });
  a.join();
  b.join();
}
