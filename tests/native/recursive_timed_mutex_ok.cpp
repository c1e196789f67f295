// EXPECT: verified 4
// As timed_mutex_ok; the second, nested lock of the holder cannot time out.
#include <cassert>
#include <chrono>
#include <mutex>
#include <thread>

std::recursive_timed_mutex guard;
int counter;

void try_increment() {
  if (!guard.try_lock_until(std::chrono::steady_clock::now() + std::chrono::seconds(1))) return;
  assert(guard.try_lock_for(std::chrono::seconds(1)));
  ++counter;
  guard.unlock();
  guard.unlock();
}

int main() {
  std::thread a(try_increment), b(try_increment);
  a.join();
  b.join();
  assert(counter <= 2);
}
