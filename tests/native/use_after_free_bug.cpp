// EXPECT: bug use-after-free
#include <atomic>
#include <thread>

struct Node {
  int value = 1;
};
std::atomic<Node*> shared;

int main() {
  shared = new Node;
  std::thread a([] { delete shared.exchange(nullptr); });
  a.join();
  Node* node = new Node;
  delete node;
  return node->value - 1;  // BUG
}
