// EXPECT: verified
// Who notifies frees the condition variable at once, though the other thread may not have returned from its wait: it was notified, and uses the variable no more.
#include <condition_variable>
#include <mutex>
#include <thread>

std::mutex guard;
bool is_waiting, is_done;

int main() {
  auto* done = new std::condition_variable;
  std::thread other([done] {
    std::unique_lock lock(guard);
    is_waiting = true;
    done->wait(lock, [] { return is_done; });
  });
  {
    std::unique_lock lock(guard);
    if (is_waiting) {
      is_done = true;
      done->notify_one();
      delete done;
      done = nullptr;
    }
  }
  if (done != nullptr) {
    guard.lock();
    is_done = true;
    done->notify_one();
    guard.unlock();
  }
  other.join();
  delete done;
}
