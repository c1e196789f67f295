// EXPECT: bug data-race data
// OPTIONS: --full
// LEVELS: O0 O2
// SHOWS (gcc O0): load: an access in it may be in a race
// SHOWS (gcc O2): load: an access in it may be in a race
// SHOWS (clang O2): load: an access in it may be in a race
// What kept a turn: what it reads may be in a race, so it is made, and it is (trap X1). With Clang -O0 the first turn leaves
// something on the stack, and the race is found before anything is suspected.
#include <atomic>
#include <thread>

std::atomic<int> x, done;
int data, copy;

int main() {
  std::thread a([] {
    while (x.load(std::memory_order_relaxed) == 0) copy = data;  // BUG
    done.store(1, std::memory_order_relaxed);
  });
  std::thread b([] {
    x.store(1, std::memory_order_relaxed);
    while (done.load(std::memory_order_relaxed) == 0) {
    }
    data = 1;  // BUG
  });
  a.join();
  b.join();
}
