// EXPECT: verified
// OPTIONS: --full
// LEVELS: O0 O2
// SHOWS: load: it allocates memory at line 22
// What kept a turn: it allocates a node, which is used in the next turn, too.
#include <atomic>
#include <memory>
#include <thread>

std::atomic<int> x;
int most = 2;  // not known to the compiler, which would write the loop out

struct Node {
  std::unique_ptr<Node> next;
};

int main() {
  std::thread a([] {
    std::unique_ptr<Node> nodes;
    for (int tries = 0; tries < most; ++tries) {
      if (x.load(std::memory_order_acquire) == 1) break;
      auto* node = new Node;
      node->next = std::move(nodes);
      nodes.reset(node);
    }
  });
  std::thread b([] { x.store(1, std::memory_order_release); });
  a.join();
  b.join();
}
