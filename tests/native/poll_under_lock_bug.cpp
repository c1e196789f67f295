// EXPECT: bug no-progress
// Two threads look under a lock for what nobody sets.
#include <mutex>
#include <thread>

std::mutex guard;
bool ready;

bool is_ready() {
  std::lock_guard<std::mutex> lock(guard);  // BUG
  return ready;
}

int main() {
  std::thread first([] {
    while (!is_ready()) std::this_thread::yield();
  });
  std::thread second([] {
    while (!is_ready()) std::this_thread::yield();
  });
  first.join();  // BUG
  second.join();  // BUG
}
