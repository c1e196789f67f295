// EXPECT: bug no-progress in a loop for a change of 'locked'
// Three threads behind a spin lock; the last one to get it keeps it, if it is the first of them: the others wait for ever.
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
  if (id == 1 && entered == 2) return;
  locked.store(false, std::memory_order_release);
}

int main() {
  std::thread one(work, 1), two(work, 2), three(work, 3);
  one.join();
  two.join();
  three.join();
}
