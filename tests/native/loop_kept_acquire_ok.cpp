// EXPECT: verified
// OPTIONS: --full
// LEVELS: O0 O2
// SHOWS (gcc O0): compare-exchange: the load at line 19 acquires, the failed compare-exchange does not
// SHOWS (gcc O2): compare-exchange: the load at line 19 acquires, the failed compare-exchange does not
// SHOWS (clang O2): compare-exchange: the load at line 19 acquires, the failed compare-exchange does not
// What kept a turn: trap B1 of retry loops (loop_trap_b1).
//
// The compare-exchange fails and reads 1, relaxed. The load might have read it at once, but would have acquired: the turn is explored.
// (Clang -O0 leaves what nobody reads any more on the stack; there the turn is kept for that, too.)
#include <atomic>
#include <thread>

std::atomic<int> x, data;
int got;

int main() {
  std::thread a([] {
    int seen = x.load(std::memory_order_acquire);
    while (!x.compare_exchange_strong(seen, 3, std::memory_order_release, std::memory_order_relaxed)) {
    }
    got = data.load(std::memory_order_relaxed);
  });
  std::thread b([] {
    data.store(1, std::memory_order_relaxed);
    x.store(1, std::memory_order_release);
  });
  a.join();
  b.join();
}
