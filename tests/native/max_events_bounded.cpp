// EXPECT: bounded main made 5 operations
// OPTIONS: --max-events 5
// Given on purpose the limit cuts executions, and the search goes on with the others.
#include <atomic>
#include <thread>

std::atomic<int> x;

int main() {
  std::thread a([] { x = 1; });
  if (x == 1)
    for (int i = 0; i < 5; ++i) x = 2;
  a.join();
}
