// EXPECT: verified 6
// OPTIONS: --model rc11 --no-spurious
// LEVELS: O0 O2
// Two threads put a node each into the queue of Michael and Scott.
//
// 6 classes, by the reference of the rules. By hand: say a links its node first (times 2). b's turn that links its own sees a's node as the
// tail: a moved the tail, and its compare-exchange succeeded, or b helped. If a moved it: 1. If b helped, a's compare-exchange fails: on b's
// help, or later on b's own move of the tail: 2. A turn that only looks, or whose helping compare-exchange fails, leaves nothing
// behind. With those turns there are 22.
#include <atomic>
#include <thread>

struct Node {
  std::atomic<Node*> next{nullptr};
};
Node dummy, nodes[2];
std::atomic<Node*> tail{&dummy};

bool replace(std::atomic<Node*>& place, Node* old, Node* node) {
  return place.compare_exchange_strong(old, node, std::memory_order_release, std::memory_order_relaxed);
}

void enqueue(Node* node) {
  for (;;) {
    Node* last = tail.load(std::memory_order_acquire);
    Node* next = last->next.load(std::memory_order_acquire);
    if (last != tail.load(std::memory_order_acquire)) continue;
    if (next != nullptr) {
      replace(tail, last, next);
    } else if (replace(last->next, nullptr, node)) {
      replace(tail, last, node);
      return;
    }
  }
}

int main() {
  std::thread a(enqueue, &nodes[0]), b(enqueue, &nodes[1]);
  a.join();
  b.join();
}
