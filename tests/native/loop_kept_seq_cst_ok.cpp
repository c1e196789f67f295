// EXPECT: verified
// OPTIONS: --full
// LEVELS: O0 O2
// SHOWS (gcc O0): compare-exchange: the load at line 18 is seq_cst, the failed compare-exchange is not
// SHOWS (gcc O2): compare-exchange: the load at line 18 is seq_cst, the failed compare-exchange is not
// SHOWS (clang O2): compare-exchange: the load at line 18 is seq_cst, the failed compare-exchange is not
// What kept a turn: the load is seq_cst, and the failure of the compare-exchange acquires only.
//
// The load might have read what the failed compare-exchange did, but would have had a place in the order of all that is seq_cst.
// (Clang -O0 leaves what nobody reads any more on the stack; there the turn is kept for that, too.)
#include <atomic>
#include <thread>

std::atomic<int> x, y, got;

int main() {
  std::thread a([] {
    int seen = x.load();
    while (!x.compare_exchange_strong(seen, 3, std::memory_order_acq_rel, std::memory_order_acquire)) {
    }
    got = y.load();
  });
  std::thread b([] {
    y.store(1);
    x.store(1);
  });
  a.join();
  b.join();
}
