// EXPECT: bug data-race
// The reader's access and the writer's delete are not ordered.
#include <atomic>
#include <thread>

struct Node {
  int value = 1;
};
std::atomic<Node*> shared;

int main() {
  shared = new Node;
  std::thread reader([] {
    if (Node* node = shared.load()) node->value++;  // BUG
  });
  delete shared.exchange(nullptr);  // BUG
  reader.join();
}
