// EXPECT: verified 4..
// Dekker's mutual exclusion with relaxed accesses and fences, from CDSChecker's benchmarks (Norris and Demsky, OOPSLA 2013):
// who finds the other's flag up and not its own turn takes its flag down until it is. Both enter once; a data race if they
// could meet.
//
// 4 classes at best, by brute force (README.md). CDSChecker: 2,313 feasible executions, since
// it cannot leave waiting turns out.
#include <atomic>
#include <thread>

#ifndef FIRST_FENCE_OF  // ../testing has a version without
#define FIRST_FENCE_OF(thread) std::atomic_thread_fence(std::memory_order_seq_cst)
#endif

std::atomic<bool> flag[2];
std::atomic<int> turn;
int shared;

void enter_once(int me) {
  const int other = 1 - me;
  flag[me].store(true, std::memory_order_relaxed);
  FIRST_FENCE_OF(me);
  while (flag[other].load(std::memory_order_relaxed)) {
    if (turn.load(std::memory_order_relaxed) == me) {
      std::this_thread::yield();
      continue;
    }
    flag[me].store(false, std::memory_order_relaxed);
    while (turn.load(std::memory_order_relaxed) != me) std::this_thread::yield();
    flag[me].store(true, std::memory_order_relaxed);
    std::atomic_thread_fence(std::memory_order_seq_cst);
  }
  std::atomic_thread_fence(std::memory_order_acquire);

  shared = me + 1;

  turn.store(other, std::memory_order_relaxed);
  std::atomic_thread_fence(std::memory_order_release);
  flag[me].store(false, std::memory_order_relaxed);
}

int main() {
  flag[0].store(false);
  flag[1].store(false);
  turn.store(0);
  std::thread first(enter_once, 0), second(enter_once, 1);
  first.join();
  second.join();
}
