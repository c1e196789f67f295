// EXPECT: bug data-race|use-after-free
// The reader's access and the writer's delete are not ordered: a race, and in one order a use after free.
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
