// EXPECT: verified
// OPTIONS: --full
// LEVELS: O0 O2
// SHOWS: compare-exchange: the store at line 21 is one that others may read
// What kept a turn: a node that is prepared again has an atomic field, and is published relaxed (loop_trap_p1).
#include <atomic>
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
    bool done = false;
    while (!done) {
      node.next.store(old, std::memory_order_relaxed);
      done = top.compare_exchange_strong(old, &node, std::memory_order_relaxed, std::memory_order_relaxed);
    }
  });
  std::thread b([] { top.store(&other, std::memory_order_relaxed); });
  std::thread c([] {
    if (top.load(std::memory_order_relaxed) == &node) below = node.next.load(std::memory_order_relaxed);
  });
  a.join();
  b.join();
  c.join();
}
