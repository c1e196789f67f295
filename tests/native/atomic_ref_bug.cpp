// EXPECT: bug data-race value
#include <atomic>
#include <thread>

int value;

int main() {
  std::thread a([] { std::atomic_ref<int>(value).fetch_add(1); });  // BUG
  std::thread b([] { ++value; });  // BUG
  a.join();
  b.join();
}
