// EXPECT: verified
// One after the other may wait with mutexes of their own.
#include <condition_variable>
#include <mutex>
#include <thread>

std::mutex one, two;
std::condition_variable changed;
bool is_set;

void wait(std::mutex& mutex) {
  {
    std::unique_lock lock(mutex);
    is_set = false;
  }
  std::thread other([&mutex] {
    {
      std::lock_guard lock(mutex);
      is_set = true;
    }
    changed.notify_one();
  });
  {
    std::unique_lock lock(mutex);
    changed.wait(lock, [] { return is_set; });
  }
  other.join();
}

int main() {
  wait(one);
  wait(two);
}
