// EXPECT: verified 2
// OPTIONS: --model rc11 --no-spurious
// LEVELS: O0 O2
// Two threads push a node each on a Treiber stack.
//
// 2 classes: the orders of the two successful compare-exchanges. A failed one goes on with the value that it read, which the load might have
// read (both relaxed; the node that was prepared meanwhile is seen by nobody): no class of its own. With failed turns there are 4.
#include <atomic>
#include <cassert>
#include <thread>

struct Node {
  Node* next = nullptr;
};
std::atomic<Node*> top;
Node nodes[2];

void push(Node* node) {
  Node* old = top.load(std::memory_order_relaxed);
  do {
    node->next = old;
  } while (!top.compare_exchange_strong(old, node, std::memory_order_release, std::memory_order_relaxed));
}

int main() {
  std::thread a(push, &nodes[0]), b(push, &nodes[1]);
  a.join();
  b.join();
  assert((nodes[0].next == nullptr) != (nodes[1].next == nullptr));
}
