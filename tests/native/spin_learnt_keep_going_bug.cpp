// OPTIONS: --keep-going
// EXPECT: bug data-race racy
// EXPECT: bug no-progress in a loop for a change of 'locked'
// Two bugs, the second in another execution: a thread keeps the lock if it comes second. (Both are found before anything is learnt.)
#include <atomic>
#include <thread>

std::atomic<bool> locked;
int entered, racy;

void work(int id) {
  while (locked.exchange(true, std::memory_order_acquire)) {
    while (locked.load(std::memory_order_relaxed)) {
    }
  }
  ++entered;
  if (id == 1 && entered == 2) return;
  locked.store(false, std::memory_order_release);
  if (id != 1) racy = id;
}

int main() {
  std::thread one(work, 1), two(work, 2), three(work, 3);
  one.join();
  two.join();
  three.join();
}
