// EXPECT: verified 2
// Two additions in two orders; the plain accesses before and after are ordered by create and join.
#include <atomic>
#include <cassert>
#include <thread>

int main() {
  int value = 5;
  std::thread a([&] { std::atomic_ref<int>(value).fetch_add(1); });
  std::thread b([&] { std::atomic_ref<int>(value).fetch_add(1); });
  a.join();
  b.join();
  assert(value == 7);
}
