// EXPECT: bounded --loop-bound
// One thread clears what the loop of the other has stored, and waits until that has stored it again: there is progress, however often the loop
// went round before. The number of turns has no bound, since any of them may be overwritten.
#include <atomic>
#include <thread>

std::atomic<int> stop, alive;

int main() {
  std::thread beat([] {
    while (stop.load() == 0) alive.store(1);
  });
  std::thread watch([] {
    alive.store(0);
    while (alive.load() == 0) {
    }
    stop.store(1);
  });
  beat.join();
  watch.join();
}
