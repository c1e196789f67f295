// EXPECT: verified
// A mutex after Drepper, "Futexes Are Tricky": 0 free, 1 locked, 2 locked and others may wait.
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<int> state;
int data;

void lock() {
  int old = 0;
  if (state.compare_exchange_strong(old, 1)) return;
  if (old != 2) old = state.exchange(2);
  while (old != 0) {
    state.wait(2);
    old = state.exchange(2);
  }
}

void unlock() {
  if (state.fetch_sub(1) == 1) return;
  state.store(0);
  state.notify_one();
}

void work() {
  lock();
  ++data;
  unlock();
}

int main() {
  std::thread a(work), b(work);
  a.join();
  b.join();
  assert(data == 2);
}
