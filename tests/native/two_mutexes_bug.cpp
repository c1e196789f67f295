// EXPECT: bug deadlock first
// The same by hand: a deadlock.
#include <mutex>
#include <thread>

std::mutex first, second;

int main() {
  std::thread a([] {
    std::lock_guard<std::mutex> one(first);
    std::lock_guard<std::mutex> two(second);  // BUG
  });
  std::thread b([] {
    std::lock_guard<std::mutex> two(second);
    std::lock_guard<std::mutex> one(first);  // BUG
  });
  a.join();  // BUG
  b.join();
}
