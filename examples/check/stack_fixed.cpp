// EXPECT: verified
//
// stack_bug.cpp with a count beside the top that grows with every change: a top that went away and came back is not the same.
//
// Ordeal says: verified.
#include <atomic>
#include <cassert>
#include <thread>

constexpr int kNone = -1;
struct Top {
  int node;
  unsigned changes;
};
std::atomic<int> next[2] = {1, kNone};  // node 0 is on top of node 1
std::atomic<Top> top = Top{0, 0};
std::atomic<bool> owned[2] = {false, false};

int pop() {
  Top old = top;
  while (old.node != kNone && !top.compare_exchange_strong(old, {next[old.node], old.changes + 1})) {
  }
  if (old.node != kNone) assert(!owned[old.node].exchange(true));
  return old.node;
}

void push(int node) {
  owned[node] = false;
  Top old = top;
  do next[node] = old.node;
  while (!top.compare_exchange_strong(old, {node, old.changes + 1}));
}

int main() {
  std::thread other([] {
    pop();
    pop();
  });
  int a = pop();
  pop();
  if (a != kNone) push(a);
  other.join();
}
