// EXPECT: verified 2
// main alone tries its locks; then it reads before the other thread writes, or behind it.
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
  swap(lock, other);
  lock.release()->unlock_shared();
  assert(other.try_lock_until(std::chrono::steady_clock::now() + 1ms));
  other.unlock();
  assert(timed.try_lock());
  timed.unlock();
  std::thread a([] {
    guard.lock();
    message = 1;
    guard.unlock();
  });
  pthread_rwlock_rdlock(static_cast<pthread_rwlock_t*>(guard.native_handle()));
  assert(message == 0 || message == 1);
  pthread_rwlock_unlock(static_cast<pthread_rwlock_t*>(guard.native_handle()));
  a.join();
}
