// EXPECT: verified 2
// OPTIONS: --no-spurious
// BLOCKED: 0
// The section of the producer comes first (the consumer does not wait), or the consumer's (it waits and is woken).
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <thread>

std::mutex guard;
std::condition_variable changed;
bool ready;
int data;

int main() {
  std::thread consumer([] {
    std::unique_lock<std::mutex> lock(guard);
    changed.wait(lock, [] { return ready; });
    assert(data == 42);
  });
  {
    std::lock_guard<std::mutex> lock(guard);
    data = 42;
    ready = true;
    changed.notify_one();
  }
  consumer.join();
}
