// EXPECT: bug assertion
// LEVELS: O0 O2
// Trap P1 of retry loops: a turn prepares a node that nobody can see yet, its field is atomic, and it is published relaxed.
//
// `below` is &bottom though the node's field is &other at the end: the first turn stores &bottom and fails, the second stores &other and
// succeeds; c finds the node, and, since nothing is released, may read the field's older value. A rule that leaves the first turn out,
// because its store is to a private node and overwritten before publication, has null and &other only. (Plain, this would be a race.)
#include <atomic>
#include <cassert>
#include <thread>

struct Node {
  std::atomic<Node*> next{nullptr};
};
Node bottom, other, node;
std::atomic<Node*> top{&bottom};
Node* below;

int main() {
  std::thread a([] {
    Node* old = top.load(std::memory_order_relaxed);
    do {
      node.next.store(old, std::memory_order_relaxed);
    } while (!top.compare_exchange_strong(old, &node, std::memory_order_relaxed, std::memory_order_relaxed));
  });
  std::thread b([] { top.store(&other, std::memory_order_relaxed); });
  std::thread c([] {
    if (top.load(std::memory_order_relaxed) == &node) below = node.next.load(std::memory_order_relaxed);
  });
  a.join();
  b.join();
  c.join();
  assert(!(below == &bottom && node.next.load(std::memory_order_relaxed) == &other));  // BUG
}
