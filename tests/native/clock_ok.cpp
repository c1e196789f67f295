// EXPECT: verified 1
// SHOWS: note: clocks show a time of their own, the same in each execution
#include <cassert>
#include <chrono>
#include <thread>

int main() {
  const auto before = std::chrono::steady_clock::now();
  std::this_thread::sleep_for(std::chrono::milliseconds(5));
  std::this_thread::sleep_until(std::chrono::steady_clock::now() + std::chrono::milliseconds(5));
  std::this_thread::yield();
  assert(std::chrono::steady_clock::now() - before >= std::chrono::milliseconds(10));
  assert(std::chrono::system_clock::now().time_since_epoch().count() > 0);
}
