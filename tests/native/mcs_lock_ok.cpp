// EXPECT: verified
#include <atomic>
#include <cassert>
#include <thread>

struct Node {
  std::atomic<Node*> next{nullptr};
  std::atomic<bool> waits{false};
};
std::atomic<Node*> tail;
int counter;

void increment() {
  Node node;
  if (Node* before = tail.exchange(&node, std::memory_order_acq_rel)) {
    node.waits.store(true, std::memory_order_relaxed);
    before->next.store(&node, std::memory_order_release);
    while (node.waits.load(std::memory_order_acquire)) {
    }
  }
  ++counter;
  Node* behind = node.next.load(std::memory_order_acquire);
  if (behind == nullptr) {
    Node* expected = &node;
    if (tail.compare_exchange_strong(expected, nullptr, std::memory_order_acq_rel)) return;
    while ((behind = node.next.load(std::memory_order_acquire)) == nullptr) {
    }
  }
  behind->waits.store(false, std::memory_order_release);
}

int main() {
  std::thread a(increment), b(increment);
  a.join();
  b.join();
  assert(counter == 2);
}
