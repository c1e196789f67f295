// EXPECT: bug data-race counter
// Each thread holds a mutex, but not the same one.
#include <mutex>
#include <thread>

std::mutex first, second;
int counter;

int main() {
  std::thread a([] {
    std::lock_guard<std::mutex> lock(first);
    ++counter;  // BUG
  });
  std::thread b([] {
    std::lock_guard<std::mutex> lock(second);
    ++counter;  // BUG
  });
  a.join();
  b.join();
}
