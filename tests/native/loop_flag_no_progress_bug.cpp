// EXPECT: bug no-progress
// LEVELS: O0 O2
// A waiting loop with a flag, and nobody ends it. The flag changes in each turn, but nobody else sees that, and the thread itself finds in it what it found before: nothing
// will ever be different.
#include <atomic>
#include <thread>

std::atomic<int> ready, polling;

int main() {
  std::thread a([] {
    while (ready.load() == 0) {  // BUG
      polling.fetch_add(1);
      if (polling.load() != 1) return;  // BUG (the last line of a turn, without optimisation)
      polling.fetch_sub(1);
    }
  });
  std::thread b([] { ready.store(0); });
  a.join();  // BUG
  b.join();
}
