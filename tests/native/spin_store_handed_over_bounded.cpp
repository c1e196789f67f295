// EXPECT: bounded --loop-bound
// The same as spin_store_cleared_bounded.cpp, but the thread that clears has seen, with acquire, the last of the stores that the other has
// made so far. That one stores again all the same.
#include <atomic>
#include <thread>

std::atomic<int> stop, alive;

int main() {
  std::thread beat([] {
    while (stop.load() == 0) alive.store(1);
  });
  std::thread watch([] {
    while (alive.load() == 0) {
    }
    alive.store(0);
    while (alive.load() == 0) {
    }
    stop.store(1);
  });
  beat.join();
  watch.join();
}
