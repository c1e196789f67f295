// EXPECT: verified 66..
// EXPECT (O2): verified 66
// mcs: N threads enter a section once each, behind the lock of Mellor-Crummey and Scott.
// N! · f(1, 1) classes at best: 6, 66, 1,080 for N = 2, 3, 4. Say the threads queue as 1 … N, and f(i, j) counts what i … N can do if i
// knows that j has queued. When i leaves, it finds that nobody has queued behind it (possible if j ≤ i; then i+1 starts afresh), or
// it sees i+1, or it does not see it and its compare-exchange tells that m has queued, for some m from max(i+1, j) on:
//   f(i, j) = [j ≤ i] f(i+1, i+1) + f(i+1, max(i+1, j)) + sum over m from max(i+1, j) to N of f(i+1, m),   f(N, j) = 1.
// Published: 66 for N = 3.
#include <atomic>
#include <cassert>

#include "threads.h"

#ifndef N
#define N 3
#endif

struct Node {
  std::atomic<Node*> next{nullptr};
  std::atomic<bool> waits{true};
};

std::atomic<Node*> tail;
int counter;

void lock(Node& mine) {
  Node* before = tail.exchange(&mine, std::memory_order_acq_rel);
  if (before == nullptr) return;
  before->next.store(&mine, std::memory_order_release);
  while (mine.waits.load(std::memory_order_acquire)) {
  }
}

void unlock(Node& mine) {
  if (mine.next.load(std::memory_order_acquire) == nullptr) {
    Node* expected = &mine;
    if (tail.compare_exchange_strong(expected, nullptr, std::memory_order_acq_rel)) return;
  }
  Node* behind;
  while ((behind = mine.next.load(std::memory_order_acquire)) == nullptr) {
  }
  behind->waits.store(false, std::memory_order_release);
}

int main() {
  run_threads<N>([](int) {
    Node mine;
    lock(mine);
    ++counter;
    unlock(mine);
  });
  assert(counter == N);
}
