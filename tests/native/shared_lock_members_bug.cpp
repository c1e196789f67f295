// EXPECT: bug data-race message
// main alone tries its locks; then a shared lock is given up by release() and unlocked too early.
#include <pthread.h>

#include <cassert>
#include <chrono>
#include <mutex>
#include <shared_mutex>
#include <thread>
#include <utility>

using namespace std::chrono_literals;

std::shared_timed_mutex timed;
std::shared_mutex guard;
int message;

int main() {
  std::shared_lock lock(timed, std::defer_lock), other(timed, std::defer_lock);
  assert(lock.try_lock() && lock.owns_lock());
  lock.unlock();
  assert(lock.try_lock_for(1ms));
  lock.swap(other);
  assert(other.owns_lock() && lock.try_lock_until(std::chrono::steady_clock::now() + 1ms));
  lock.unlock();
  std::thread a([] {
    pthread_rwlock_wrlock(static_cast<pthread_rwlock_t*>(guard.native_handle()));
    message = 1;  // BUG
    guard.unlock();
  });
  std::shared_lock reader(guard);
  reader.release()->unlock_shared();
  const int seen = message;  // BUG
  a.join();
  assert(seen == 0 || seen == 1);
}
