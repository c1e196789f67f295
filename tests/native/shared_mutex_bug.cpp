// EXPECT: bug data-race counter
// Two read locks do not exclude each other.
#include <shared_mutex>
#include <thread>

std::shared_mutex guard;
int counter;

void increment() {
  std::shared_lock<std::shared_mutex> lock(guard);
  ++counter;  // BUG
}

int main() {
  std::thread a(increment), b(increment);
  a.join();
  b.join();
}
