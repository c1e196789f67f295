// EXPECT: verified
// OPTIONS: --full --no-spurious
// LEVELS: O0 O2
// SHOWS: call: it takes a lock that another thread tries to take
// What kept a turn: another thread's try_lock may fail because of it (trap L1).
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
}
