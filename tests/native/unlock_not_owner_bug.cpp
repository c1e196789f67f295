// EXPECT: bug lock-misuse guard
#include <mutex>
#include <thread>

std::mutex guard;

int main() {
  guard.lock();
  std::thread other([] { guard.unlock(); });  // BUG
  other.join();
}
