// EXPECT: verified 4
// Both lock: 2 orders. One times out because the other holds the mutex: 1 each. That both time out is not possible. 2 + 2 = 4.
#include <cassert>
#include <chrono>
#include <mutex>
#include <thread>

std::timed_mutex guard;
int counter;

void try_increment(bool& locked) {
  std::unique_lock<std::timed_mutex> lock(guard, std::chrono::milliseconds(10));
  locked = lock.owns_lock();
  if (locked) ++counter;
}

int main() {
  bool first = false, second = false;
  std::thread a(try_increment, std::ref(first)), b(try_increment, std::ref(second));
  a.join();
  b.join();
  assert(counter == first + second);
}
