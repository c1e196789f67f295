// EXPECT: bug data-race
//
// The core of Dekker's and Peterson's locks: raise my flag, look at the other's, enter if it is down. With release and acquire
// both threads can miss the other's flag, because neither order keeps a load behind an earlier store. Every x86 does this: the stores
// wait in store buffers while the loads go ahead.
//
// Ordeal says: data race on 'shared', and shows that each load saw the initial value.
#include <atomic>
#include <thread>

std::atomic<bool> wants[2] = {false, false};
int shared = 0;

void enter(int me) {
  wants[me].store(true, std::memory_order_release);
  if (!wants[1 - me].load(std::memory_order_acquire)) {
    ++shared;  // the other one has not raised its flag: it will see mine
  }
}

int main() {
  std::thread first(enter, 0);
  std::thread second(enter, 1);
  first.join();
  second.join();
}
