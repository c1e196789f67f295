// EXPECT: verified
// OPTIONS: --no-spurious
// Both threads lock both mutexes, in opposite order of arguments: std::lock never deadlocks, and needs no bound.
#include <cassert>
#include <mutex>
#include <thread>

std::mutex first, second;
int counter;

int main() {
  std::thread a([] { std::scoped_lock lock(first, second); ++counter; });
  std::thread b([] { std::scoped_lock lock(second, first); ++counter; });
  a.join();
  b.join();
  assert(counter == 2);
}
