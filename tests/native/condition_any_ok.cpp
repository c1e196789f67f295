// EXPECT: verified
// OPTIONS: --no-spurious
// condition_variable_any with a recursive mutex.
#include <condition_variable>
#include <mutex>
#include <thread>

std::recursive_mutex guard;
std::condition_variable_any changed;
bool ready;

int main() {
  std::thread consumer([] {
    std::unique_lock<std::recursive_mutex> lock(guard);
    changed.wait(lock, [] { return ready; });
  });
  {
    std::lock_guard<std::recursive_mutex> lock(guard);
    ready = true;
  }
  changed.notify_all();
  consumer.join();
}
