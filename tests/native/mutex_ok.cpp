// EXPECT: verified 6
// BLOCKED: 0
// Three critical sections in any order: 3! = 6.
#include <cassert>
#include <mutex>
#include <thread>

std::mutex guard;
int counter;

void increment() {
  std::lock_guard<std::mutex> lock(guard);
  ++counter;
}

int main() {
  std::thread a(increment), b(increment), c(increment);
  a.join();
  b.join();
  c.join();
  assert(counter == 3);
}
