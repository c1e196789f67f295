// EXPECT: verified 26
// OPTIONS: --model rc11 --no-spurious
// LEVELS: O0 O2
// The queue of Michael and Scott: two threads put a node into it, a third takes one out if it finds one.
//
// 26 classes, by the reference of the rules (loop_ms_enqueue_two_ok.cpp has the idea: turns that change nothing leave nothing behind, those
// that help do). With all turns there are 188.
#include <atomic>
#include <thread>

struct Node {
  std::atomic<Node*> next{nullptr};
};
Node dummy, nodes[2];
std::atomic<Node*> head{&dummy}, tail{&dummy};

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

void dequeue() {
  for (;;) {
    Node* first = head.load(std::memory_order_acquire);
    Node* last = tail.load(std::memory_order_acquire);
    Node* next = first->next.load(std::memory_order_acquire);
    if (first != head.load(std::memory_order_acquire)) continue;
    if (first != last) {
      if (replace(head, first, next)) return;
    } else if (next == nullptr) {
      return;
    } else {
      replace(tail, last, next);
    }
  }
}

int main() {
  std::thread a(enqueue, &nodes[0]), b(enqueue, &nodes[1]), c(dequeue);
  a.join();
  b.join();
  c.join();
}
