// EXPECT: bug deadlock guard
// A thread ends with the mutex. The next one is another thread, although a number may be used again.
#include <mutex>
#include <thread>

std::recursive_mutex guard;
int uses;

int main() {
  std::thread holder([] { guard.lock(); });
  holder.join();
  std::thread other([] {
    guard.lock();  // BUG
    ++uses;
  });
  other.join();  // BUG
}
