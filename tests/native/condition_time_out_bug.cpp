// EXPECT: bug assertion seen
// The time may be over before the producer comes.
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
    const bool seen = changed.wait_for(lock, std::chrono::hours(1), [] { return ready; });
    assert(seen);  // BUG
  });
  {
    std::lock_guard<std::mutex> lock(guard);
    ready = true;
  }
  changed.notify_one();
  consumer.join();
}
