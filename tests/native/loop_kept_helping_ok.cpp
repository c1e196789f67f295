// EXPECT: verified
// OPTIONS: --full --no-spurious
// LEVELS: O0 O2
// SHOWS: load: the compare-exchange at line 24 succeeded
// What kept a turn: the thread helped another one, and tries again (loop_ms_enqueue_two has the whole queue).
#include <atomic>
#include <thread>

struct Node {
  std::atomic<Node*> next{nullptr};
};
Node dummy, nodes[2];
std::atomic<Node*> tail{&dummy};

bool replace(std::atomic<Node*>& place, Node* old, Node* node) {
  return place.compare_exchange_strong(old, node, std::memory_order_acq_rel, std::memory_order_acquire);
}

void enqueue(Node* node) {
  for (;;) {
    Node* last = tail.load(std::memory_order_acquire);
    Node* next = last->next.load(std::memory_order_acquire);
    if (next != nullptr) {
      tail.compare_exchange_strong(last, next, std::memory_order_acq_rel, std::memory_order_acquire);
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
