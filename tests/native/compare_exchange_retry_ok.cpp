// EXPECT: verified
// A stack's push with weak compare-exchanges: spurious failures too need no bound.
#include <atomic>
#include <cassert>
#include <thread>

struct Node {
  Node* next = nullptr;
};
std::atomic<Node*> top;
Node nodes[2];

void push(Node* node) {
  node->next = top.load(std::memory_order_relaxed);
  while (!top.compare_exchange_weak(node->next, node, std::memory_order_release, std::memory_order_relaxed)) {
  }
}

int main() {
  std::thread a(push, &nodes[0]), b(push, &nodes[1]);
  a.join();
  b.join();
  Node* first = top.load();
  assert(first != nullptr && first->next != nullptr && first->next->next == nullptr);
}
