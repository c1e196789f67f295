// EXPECT: bug lock-misuse for which a thread waits
// SHOWS (gcc): destroys condition_variable
// A thread waits for a condition variable that is freed without a notification; its time would run out later.
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

std::mutex guard;
bool is_waiting;

int main() {
  auto* done = new std::condition_variable;
  std::thread other([done] {
    std::unique_lock lock(guard);
    is_waiting = true;
    done->wait_for(lock, std::chrono::milliseconds(1));  // BUG
  });
  guard.lock();
  const bool is_last = is_waiting;
  if (is_last) delete done;  // BUG
  guard.unlock();
  other.join();
  if (!is_last) delete done;
}
