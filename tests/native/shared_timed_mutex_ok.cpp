// EXPECT: verified 3
// The reader comes before or behind the writer, or gives up while the writer has the lock. That it gives up although the lock is free is
// not explored. All other locks here are free.
#include <cassert>
#include <chrono>
#include <mutex>
#include <shared_mutex>
#include <thread>

using namespace std::chrono_literals;
std::shared_timed_mutex guard, free_one;
int data;

int main() {
  std::thread a([] {
    std::unique_lock<std::shared_timed_mutex> lock(guard);
    data = 1;
  });
  if (guard.try_lock_shared_for(1s)) {
    assert(data == 0 || data == 1);
    guard.unlock_shared();
  }
  assert(free_one.try_lock_for(1s));
  free_one.unlock();
  assert(free_one.try_lock_until(std::chrono::steady_clock::now() + 1s));
  free_one.unlock();
  assert(free_one.try_lock_shared_until(std::chrono::system_clock::now() + 1s));
  free_one.unlock_shared();
  free_one.lock_shared();
  free_one.unlock_shared();
  assert(free_one.try_lock());
  free_one.unlock();
  assert(free_one.try_lock_shared());
  free_one.unlock_shared();
  a.join();
}
