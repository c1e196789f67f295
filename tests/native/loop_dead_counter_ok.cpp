// EXPECT: verified 2
// EXPECT (O0): verified 2..4
// OPTIONS: --model rc11 --no-spurious
// LEVELS: O0 O2
// A counter of failed tries that is used in no way: as loop_treiber_push_two_ok.cpp.
//
// 2 classes: what the counter has been plays no part any more once the loop has ended, and in it only counts. Without optimisation it is
// on the stack, where nothing proves that nobody will read it: there the failed turns may remain, which makes 4.
// (loop_trap_c1_tries_used_bug.cpp: it is used.)
#include <atomic>
#include <thread>

struct Node {
  Node* next = nullptr;
};
std::atomic<Node*> top;
Node nodes[2];

void push(Node* node) {
  int failed = 0;
  Node* old = top.load(std::memory_order_relaxed);
  for (;;) {
    node->next = old;
    if (top.compare_exchange_strong(old, node, std::memory_order_release, std::memory_order_relaxed)) break;
    ++failed;
  }
}

int main() {
  std::thread a(push, &nodes[0]), b(push, &nodes[1]);
  a.join();
  b.join();
}
