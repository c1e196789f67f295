// EXPECT: bug data-race counter
#include <mutex>
#include <thread>

std::mutex guard;
int counter;

int main() {
  std::thread a([] {
    std::lock_guard<std::mutex> lock(guard);
    ++counter;  // BUG
  });
  std::thread b([] {
    ++counter;  // BUG
  });
  a.join();
  b.join();
}
