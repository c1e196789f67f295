// EXPECT: verified
// OPTIONS: --no-spurious
// As condition_two_waiters_bug with notify_all.
#include <condition_variable>
#include <mutex>
#include <thread>

std::mutex guard;
std::condition_variable changed;
bool ready;

void await() {
  std::unique_lock<std::mutex> lock(guard);
  while (!ready) changed.wait(lock);
}

int main() {
  std::thread a(await), b(await);
  {
    std::lock_guard<std::mutex> lock(guard);
    ready = true;
  }
  changed.notify_all();
  a.join();
  b.join();
}
