// EXPECT: bug data-race|use-after-free|lock-misuse
// The notification comes when the mutex is unlocked, and by then the condition variable may be gone.
#include <condition_variable>
#include <mutex>
#include <thread>

std::mutex guard;
bool is_done;

int main() {
  auto* done = new std::condition_variable;
  std::thread other([done] {
    guard.lock();
    is_done = true;
    guard.unlock();
    done->notify_one();  // BUG
  });
  {
    std::unique_lock lock(guard);
    done->wait(lock, [] { return is_done; });
  }
  delete done;  // BUG
  other.join();
}
