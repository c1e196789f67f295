// EXPECT: verified
// PENDING: read-write locks are refused
// Two readers and a writer.
#include <cassert>
#include <mutex>
#include <shared_mutex>
#include <thread>

std::shared_mutex guard;
int one, two;

void look() {
  std::shared_lock<std::shared_mutex> lock(guard);
  assert(one == two);
}

int main() {
  std::thread a(look), b(look);
  std::thread c([] {
    std::unique_lock<std::shared_mutex> lock(guard);
    ++one;
    ++two;
  });
  a.join();
  b.join();
  c.join();
}
