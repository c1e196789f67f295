// EXPECT: verified 42
// OPTIONS: --model rc11 --no-spurious
// LEVELS: O0 O2
// Three threads replace a value by 42, whatever it is, and a fourth stores 1: everything seq_cst.
//
// 42 classes, by the reference of the rules. Failed turns are redundant, since the load might have read what the failed compare-exchange
// did; but the load may read a 42 and the compare-exchange another one. With failed turns there are 696.
#include <atomic>
#include <thread>

std::atomic<int> x;

void replace() {
  int seen = x.load();
  while (!x.compare_exchange_strong(seen, 42)) {
  }
}

int main() {
  std::thread a(replace), b(replace), c(replace), d([] { x.store(1); });
  a.join();
  b.join();
  c.join();
  d.join();
}
