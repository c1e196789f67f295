// EXPECT: verified
// 1 class at best; a first turn whose registers differ from the next may add some.
// As spin_flag_ok, with a yield and a sleep.
#include <atomic>
#include <chrono>
#include <thread>

std::atomic<int> flag;

int main() {
  std::thread a([] { flag = 1; });
  while (flag == 0) {
    std::this_thread::yield();
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  a.join();
}
