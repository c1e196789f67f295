// EXPECT: bug data-race counter
// The result of try_lock_for is not looked at.
#include <chrono>
#include <mutex>
#include <thread>

std::timed_mutex guard;
int counter;

void increment() {
  const bool locked = guard.try_lock_for(std::chrono::hours(1));
  ++counter;  // BUG
  if (locked) guard.unlock();
}

int main() {
  std::thread a(increment), b(increment);
  a.join();
  b.join();
}
