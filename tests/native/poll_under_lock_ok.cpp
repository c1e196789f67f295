// EXPECT: verified
// A loop that looks under a lock waits for the other thread: it needs no bound, whatever it locks meanwhile.
#include <mutex>
#include <thread>

std::mutex guard;
bool ready;

bool is_ready() {
  std::lock_guard<std::mutex> lock(guard);
  return ready;
}

int main() {
  std::thread poller([] {
    while (!is_ready()) std::this_thread::yield();
  });
  {
    std::lock_guard<std::mutex> lock(guard);
    ready = true;
  }
  poller.join();
}
