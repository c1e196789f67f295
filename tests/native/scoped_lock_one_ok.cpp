// EXPECT: verified 2
// BLOCKED: 0
// Two sections in two orders.
#include <cassert>
#include <mutex>
#include <thread>

std::mutex guard;
int counter;

int main() {
  std::thread a([] { std::scoped_lock lock(guard); ++counter; });
  std::thread b([] { std::scoped_lock lock(guard); ++counter; });
  a.join();
  b.join();
  assert(counter == 2);
}
