// EXPECT: verified 1
// BLOCKED: 0
// OPTIONS: --symmetry --no-spurious
// Each thread pushes a node of its own, at an address of its own. An exchange takes the old head, so the threads come one after the other.
#include <atomic>
#include <cassert>
#include <thread>

struct Node {
  Node* next = nullptr;
};
std::atomic<Node*> head;

int main() {
  std::thread threads[4];
  for (std::thread& thread : threads)
    thread = std::thread([] {
      Node* node = new Node;
      node->next = head.exchange(node);
    });
  for (std::thread& thread : threads) thread.join();
  int length = 0;
  for (Node* node = head; node != nullptr; ++length) {
    Node* next = node->next;
    delete node;
    node = next;
  }
  assert(length == 4);
}
