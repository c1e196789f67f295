// EXPECT: bug assertion
// LEVELS: O0 O2
// Trap U1 with nodes: a hazard pointer protects one node, then another.
//
// The node is kept although the reader has the other one: the reader announces `first`, the writer puts `second` in its place and sees
// the announcement, the reader looks again and announces `second`. A rule that leaves out the turn in vain, because the next one
// overwrites its announcement, has the node kept only if the reader has it. (The node is never used after its end: no race.)
#include <atomic>
#include <cassert>
#include <thread>

struct Node {
  int value = 1;
};
Node first, second;
std::atomic<Node*> shared{&first}, hazard;
Node* protected_node;
bool kept;

int main() {
  std::thread reader([] {
    Node* node;
    do {
      node = shared.load(std::memory_order_acquire);
      hazard.store(node, std::memory_order_relaxed);
      std::atomic_thread_fence(std::memory_order_seq_cst);
    } while (shared.load(std::memory_order_acquire) != node);
    assert(node->value == 1);
    protected_node = node;
  });
  std::thread writer([] {
    Node* old = shared.exchange(&second, std::memory_order_acq_rel);
    std::atomic_thread_fence(std::memory_order_seq_cst);
    kept = hazard.load(std::memory_order_acquire) == old;
    if (!kept) old->value = 0;
  });
  reader.join();
  writer.join();
  assert(!kept || protected_node == &first);  // BUG
}
