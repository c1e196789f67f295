// EXPECT: bug assertion
// OPTIONS: --no-spurious
// LEVELS: O0 O2
// Trap L1: a loop that polls under a lock, and another thread that tries the lock.
//
// The try of b fails: a holds the lock in a turn in vain, because b, which alone sets `ready`, is not there yet. A rule that leaves out a
// lock and its unlock in a vain turn has a lock once only, after b's unlock, and then the try never fails. (--no-spurious: otherwise
// a try_lock of std::mutex may fail anyway.)
#include <cassert>
#include <mutex>
#include <thread>

std::mutex guard;
bool ready, failed;

int main() {
  std::thread a([] {
    for (;;) {
      std::lock_guard<std::mutex> lock(guard);
      if (ready) break;
    }
  });
  std::thread b([] {
    if (!guard.try_lock()) {
      failed = true;
      guard.lock();
    }
    ready = true;
    guard.unlock();
  });
  a.join();
  b.join();
  assert(!failed);  // BUG
}
