// EXPECT: bug deadlock state
// As atomic_wait_mutex_ok, but who finds it locked does not say that it waits: nobody notifies it.
#include <atomic>
#include <thread>

std::atomic<int> state;
int data;

void lock() {
  while (state.exchange(1) != 0) state.wait(1);  // BUG
}

void unlock() {
  if (state.exchange(0) == 2) state.notify_one();
}

void work() {
  lock();
  ++data;
  unlock();
}

int main() {
  std::thread a(work), b(work);
  a.join();  // BUG
  b.join();  // BUG
}
