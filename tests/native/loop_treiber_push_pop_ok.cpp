// EXPECT: verified 10
// OPTIONS: --model rc11 --no-spurious
// LEVELS: O0 O2
// Two threads push a node on a Treiber stack and pop one.
//
// 10 classes (and by the reference of the rules). Without failed turns a class is an order of the successful compare-exchanges, pushes P
// and Q, pops p and q, and where their loads read the same value. PpQq, QqPp: the load of the second push reads null from the start, or
// what the first pop left: 2 each. PQqp, QPpq: the load of the last pop reads its thread's own push, or what the other pop left, which
// is the same node: 2 each. PQpq, QPqp: the load of the last pop comes after its own push, so only the other pop is left: 1 each.
#include <atomic>
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

void pop() {
  Node* old = top.load(std::memory_order_acquire);
  while (old != nullptr) {
    Node* next = old->next;
    if (top.compare_exchange_strong(old, next, std::memory_order_acq_rel, std::memory_order_acquire)) return;
  }
}

int main() {
  auto push_and_pop = [](Node* node) {
    push(node);
    pop();
  };
  std::thread a(push_and_pop, &nodes[0]), b(push_and_pop, &nodes[1]);
  a.join();
  b.join();
}
