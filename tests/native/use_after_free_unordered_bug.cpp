// EXPECT: bug data-race use after free (race between free and access)
// Nothing orders the free and the access, whichever comes first.
#include <atomic>
#include <thread>

struct Node {
  std::atomic<int> value{1};
};

int main() {
  Node* node = new Node;
  std::thread a([node] { node->value.load(); });  // BUG
  delete node;                                    // BUG
  a.join();
}
