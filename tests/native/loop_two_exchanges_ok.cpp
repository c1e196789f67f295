// EXPECT: verified 43
// OPTIONS: --model rc11 --no-spurious --time 5
// LEVELS: O0 O2
// One thread stores 1 to 42 one after the other, the other one replaces what it finds, with one of two compare-exchanges: everything seq_cst.
//
// 43 classes: the value that is replaced, 0 to 42, which only one store has; load and compare-exchange both read it. After a failed turn
// the thread is where a load that read this value would have led it, whichever compare-exchange is next. With failed turns: 2 to the 43rd
// less 1, one for each choice of values that are read.
#include <atomic>
#include <thread>

std::atomic<int> x;

int main() {
  std::thread a([] {
    for (int i = 1; i <= 42; ++i) x.store(i);
  });
  std::thread b([] {
    int seen = x.load();
    for (bool done = false; !done;) {
      if (seen == 42) {
        done = x.compare_exchange_strong(seen, 42);
      } else {
        done = x.compare_exchange_strong(seen, 17);
      }
    }
  });
  a.join();
  b.join();
}
