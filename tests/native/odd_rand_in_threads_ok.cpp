// EXPECT: verified 6
// Each thread has its own random numbers: what the others do must not show. Three increments: 3! orders.
#include <atomic>
#include <cstdlib>
#include <thread>

std::atomic<int> x;
void work() { x.fetch_add(std::rand() % 100); }

int main() {
  std::srand(7);
  std::thread a(work), b(work), c(work);
  a.join();
  b.join();
  c.join();
}
