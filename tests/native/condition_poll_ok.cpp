// EXPECT: verified
// A loop around a timed wait waits for `ready` and must need no bound.
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
    while (!ready) changed.wait_for(lock, std::chrono::milliseconds(1));
  });
  {
    std::lock_guard<std::mutex> lock(guard);
    ready = true;
  }
  consumer.join();
}
