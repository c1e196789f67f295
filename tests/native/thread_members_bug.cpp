// EXPECT: bug data-race data
// To sleep is not to wait, however many processors there are.
#include <chrono>
#include <thread>

int data;

int main() {
  using namespace std::chrono_literals;
  std::thread a([] { data = 1; });  // BUG
  const bool is_other = a.get_id() != std::this_thread::get_id() && a.native_handle() != 0 && a.joinable();
  if (std::thread::hardware_concurrency() > 0 && is_other) std::this_thread::sleep_for(1s);
  std::this_thread::sleep_until(std::chrono::steady_clock::now() + 1s);
  std::this_thread::yield();
  data = 2;  // BUG
  std::thread b;
  b.swap(a);
  b.join();
}
