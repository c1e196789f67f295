// EXPECT: bug data-race data
// Whoever gives up has no lock.
#include <chrono>
#include <mutex>
#include <shared_mutex>
#include <thread>

using namespace std::chrono_literals;
std::shared_timed_mutex guard;
int data;

int main() {
  std::thread a([] {
    std::unique_lock<std::shared_timed_mutex> lock(guard);
    data = 1;  // BUG
  });
  const bool reads = guard.try_lock_shared_for(1s) || guard.try_lock_shared_until(std::chrono::steady_clock::now() + 1s);
  const bool writes = !reads && (guard.try_lock_for(1s) || guard.try_lock_until(std::chrono::steady_clock::now() + 1s));
  data = 2;  // BUG
  if (reads) guard.unlock_shared();
  if (writes) guard.unlock();
  a.join();
}
