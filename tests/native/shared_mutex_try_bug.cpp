// EXPECT: bug assertion
// Nobody promises that try_lock succeeds, nor try_lock_shared.
#include <cassert>
#include <shared_mutex>
#include <thread>

std::shared_mutex guard;

int main() {
  std::thread a([] {
    assert(guard.try_lock());  // BUG
    guard.unlock();
  });
  std::thread b([] {
    assert(guard.try_lock_shared());  // BUG
    guard.unlock_shared();
  });
  a.join();
  b.join();
}
