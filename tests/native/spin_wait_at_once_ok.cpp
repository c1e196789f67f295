// EXPECT: verified
// The wait in the loop returns at once each time, since the value is never 2: the loop only spins, and ends with the lock's release.
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<int> state;
int data;

void work() {
  while (state.exchange(1) != 0) state.wait(2);
  ++data;
  state.store(0);
}

int main() {
  std::thread a(work), b(work);
  a.join();
  b.join();
  assert(data == 2);
}
