// EXPECT: bug data-race local
// SHOWS: use of a local variable of a thread that ends (race between its end and the access) on 'local' (local of owner)
// The owner goes on when it is told to, but its end does not happen after the use: the store and the load are relaxed.
#include <atomic>
#include <thread>

std::atomic<int*> lent;
std::atomic<int> done;

void owner() {
  int local = 1;
  lent.store(&local, std::memory_order_release);
  while (done.load(std::memory_order_relaxed) == 0) {
  }
}

int main() {
  std::thread thread(owner);
  int* local = nullptr;
  while ((local = lent.load(std::memory_order_acquire)) == nullptr) {
  }
  *local = 2;
  done.store(1, std::memory_order_relaxed);
  thread.join();
}
