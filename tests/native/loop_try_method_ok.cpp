// EXPECT: verified 2
// OPTIONS: --model rc11 --no-spurious
// LEVELS: O0 O2
// Two threads push a node each on a stack: the loop is the caller's, around a method try_push that reads the top again each time.
//
// 2 classes: the orders of the two successful compare-exchanges. After a failed try the next one begins as the first did, and reads
// everything again: nothing is left of it, and its preparation of the node has been seen by nobody.
#include <atomic>
#include <thread>

struct Node {
  Node* next = nullptr;
};

class Stack {
 public:
  bool try_push(Node* node) {
    Node* old = top_.load(std::memory_order_relaxed);
    node->next = old;
    return top_.compare_exchange_strong(old, node, std::memory_order_release, std::memory_order_relaxed);
  }

 private:
  std::atomic<Node*> top_{nullptr};
};

Stack stack;
Node nodes[2];

void push(Node* node) {
  while (!stack.try_push(node)) {
  }
}

int main() {
  std::thread a(push, &nodes[0]), b(push, &nodes[1]);
  a.join();
  b.join();
}
