// EXPECT: verified 1
#include <cassert>
#include <chrono>
#include <thread>
#include <utility>

int main() {
  using namespace std::chrono_literals;
  assert(std::thread::hardware_concurrency() >= 1);
  std::thread::id inside;
  std::thread a([&inside] {
    inside = std::this_thread::get_id();
    std::this_thread::sleep_for(1ms);
    std::this_thread::sleep_until(std::chrono::system_clock::now() + 1ms);
    std::this_thread::yield();
  });
  const std::thread::id id = a.get_id();
  assert(a.native_handle() != 0 && a.joinable());
  std::thread b;
  a.swap(b);
  assert(!a.joinable() && b.get_id() == id && a.get_id() == std::thread::id());
  b.join();
  assert(inside == id && id != std::this_thread::get_id());
}
