// EXPECT: bug deadlock changed
// OPTIONS: --no-spurious
// Two wait for the same news, notify_one tells only one of them.
#include <condition_variable>
#include <mutex>
#include <thread>

std::mutex guard;
std::condition_variable changed;
bool ready;

void await() {
  std::unique_lock<std::mutex> lock(guard);
  while (!ready) changed.wait(lock);  // BUG
}

int main() {
  std::thread a(await), b(await);
  {
    std::lock_guard<std::mutex> lock(guard);
    ready = true;
  }
  changed.notify_one();
  a.join();  // BUG
  b.join();  // BUG
}
