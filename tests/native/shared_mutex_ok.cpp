// EXPECT: verified 14
// Two readers and a writer. The states of the lock form one chain. The readers come one behind the other (2 ways; the writer then has 3
// places), or overlap (4 ways; the writer has 2 places): 2 * 3 + 4 * 2.
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
