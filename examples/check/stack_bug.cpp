// EXPECT: bug assertion
//
// Treiber's stack over nodes that are used again. A thread in pop() sees top A and next B, and is interrupted. Another one pops A and B
// and pushes A. The first thread's compare-exchange still finds A on top, and makes B the top, which somebody owns: ABA. All
// orders are as strong as can be; they do not help.
//
// Ordeal says: assertion '!owned[node].exchange(true)' failed: two threads own a node.
#include <atomic>
#include <cassert>
#include <thread>

constexpr int kNone = -1;
std::atomic<int> next[2] = {1, kNone};  // node 0 is on top of node 1
std::atomic<int> top = 0;
std::atomic<bool> owned[2] = {false, false};

int pop() {
  int node = top;
  while (node != kNone && !top.compare_exchange_strong(node, next[node])) {
  }
  if (node != kNone) assert(!owned[node].exchange(true));
  return node;
}

void push(int node) {
  owned[node] = false;
  int old = top;
  do next[node] = old;
  while (!top.compare_exchange_strong(old, node));
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
