// EXPECT: bug use-after-free
// SHOWS: and freed at use_after_free_joined_bug.cpp:13 by thread 1
// The free happens before the access: the thread is joined. No race, but still wrong.
#include <thread>

struct Node {
  int value = 1;
};

int main() {
  Node* node = new Node;
  std::thread a([node] {
    delete node;
  });
  a.join();
  return node->value - 1;  // BUG
}
