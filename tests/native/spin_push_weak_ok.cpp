// EXPECT: verified
// Each turn of the loop writes node->next, mostly what it holds already. A turn in which the weak compare-exchange failed
// without reason changed nothing: it is left out, and the search ends.
#include <atomic>
#include <cassert>
#include <thread>

struct Node {
  Node* next = nullptr;
  int value = 0;
};

Node nodes[2];
std::atomic<Node*> head;

void push(Node* node) {
  Node* old = head.load(std::memory_order_relaxed);
  do {
    node->next = old;
  } while (!head.compare_exchange_weak(old, node, std::memory_order_release, std::memory_order_relaxed));
}

int main() {
  std::thread a([] { push(&nodes[0]); });
  std::thread b([] { push(&nodes[1]); });
  a.join();
  b.join();
  Node* first = head.load();
  assert(first != nullptr && first->next != nullptr && first->next->next == nullptr);
}
