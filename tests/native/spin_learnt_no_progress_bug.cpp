// EXPECT: bug no-progress in a loop for a change of 'locked'
// Four threads behind a spin lock; the third one to get it keeps it, if it is the first of them: the other one waits for ever.
#include <atomic>
#include <thread>

std::atomic<bool> locked;
int entered;

void work(int id) {
  while (locked.exchange(true, std::memory_order_acquire)) {
    while (locked.load(std::memory_order_relaxed)) {
    }
  }
  ++entered;
  if (id == 1 && entered == 3) return;
  locked.store(false, std::memory_order_release);
}

int main() {
  std::thread one(work, 1), two(work, 2), three(work, 3), four(work, 4);
  one.join();
  two.join();
  three.join();
  four.join();
}
