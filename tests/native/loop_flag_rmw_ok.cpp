// EXPECT: verified 2
// LEVELS: O0 O1 O2 O3
// As loop_flag_retry_ok.cpp, and the flags are counted up and down, by one thread, or exchanged, by the other. All is seq_cst: a barrier in a turn that is left out
// is left out with it.
//
// 2 classes: the orders of the two successful compare-exchanges.
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<int> counter, depth, busy;

template <class Set, class Reset>
void add(Set set, Reset reset) {
  for (;;) {
    set();
    int seen = counter.load();
    if (counter.compare_exchange_strong(seen, seen + 1)) break;
    reset();
  }
  reset();
}

int main() {
  std::thread a([] { add([] { depth.fetch_add(1); }, [] { depth.fetch_sub(1); }); });
  std::thread b([] { add([] { assert(busy.exchange(1) == 0); }, [] { assert(busy.exchange(0) == 1); }); });
  a.join();
  b.join();
  assert(counter.load() == 2 && depth.load() == 0 && busy.load() == 0);
}
