// EXPECT: verified 2
// A thread that makes no operation at all must have run, in every execution, when it is joined.
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<int> x;
int data;

int main() {
  std::thread a([] { data = 1; });
  a.join();
  assert(data == 1);
  std::thread b([] { x = 1; });
  x.load();
  b.join();
  assert(data == 1);
}
