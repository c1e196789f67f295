// EXPECT: bug lock-misuse changed
// Two threads may wait at once, each with its own mutex. ([thread.condition.condvar]: all must have the same.)
#include <condition_variable>
#include <mutex>
#include <thread>

std::mutex one, two;
std::condition_variable changed;
bool is_set;

void wait(std::mutex& mutex) {
  std::unique_lock lock(mutex);
  changed.wait(lock, [] { return is_set; });  // BUG
}

int main() {
  std::thread a([] { wait(one); }), b([] { wait(two); });
  {
    std::scoped_lock both(one, two);
    is_set = true;
  }
  changed.notify_all();
  a.join();
  b.join();
}
