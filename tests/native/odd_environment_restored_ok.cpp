// EXPECT: verified 2
// What an execution sets in the environment is gone in the next one.
#include <atomic>
#include <cassert>
#include <cstdlib>
#include <thread>

std::atomic<int> x;

int main() {
  assert(std::getenv("ORDEAL_TEST_OTHER") == nullptr);
  setenv("ORDEAL_TEST_OTHER", "1", 1);
  std::thread a([] { x.fetch_add(1); }), b([] { x.fetch_add(1); });
  a.join();
  b.join();
}
