// EXPECT: verified
// Woken, timed out, or not in need to wait: `ready` says which, with the mutex held.
#include <cassert>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

std::mutex guard;
std::condition_variable changed;
bool ready;

int main() {
  std::thread consumer([] {
    std::unique_lock<std::mutex> lock(guard);
    const bool seen = changed.wait_for(lock, std::chrono::milliseconds(1), [] { return ready; });
    assert(seen == ready);
  });
  {
    std::lock_guard<std::mutex> lock(guard);
    ready = true;
  }
  changed.notify_one();
  consumer.join();
}
