// EXPECT: bug lock-misuse guard
// C++ does not let a std::recursive_mutex tell who does not hold it, as POSIX does of what is inside.
#include <mutex>
#include <thread>

std::recursive_mutex guard;

int main() {
  guard.lock();
  std::thread other([] { guard.unlock(); });  // BUG
  other.join();
  guard.unlock();
}
