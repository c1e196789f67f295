// EXPECT: verified
// OPTIONS: --full
// LEVELS: O0 O2
// SHOWS: call: it writes plain memory, which others may read after the release at line 19
// What kept a turn: it counts in shared memory, under a lock.
#include <mutex>
#include <thread>

std::mutex guard;
bool ready;
int looks, seen;
int most = 2;  // not known to the compiler, which would write the loop out

int main() {
  std::thread a([] {
    for (int i = 0; i < most; ++i) {
      guard.lock();
      const bool done = ++looks > 0 && ready;
      guard.unlock();
      if (done) break;
    }
  });
  std::thread b([] {
    std::lock_guard<std::mutex> lock(guard);
    seen = looks;
    ready = true;
  });
  a.join();
  b.join();
}
