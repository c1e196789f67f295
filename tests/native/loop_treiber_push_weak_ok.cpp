// EXPECT: verified 2
// OPTIONS: --model rc11
// LEVELS: O0 O2
// Two threads push a node each on a Treiber stack, with weak compare-exchanges that may fail spuriously.
//
// 2 classes, as in loop_treiber_push_two_ok.cpp: after a spurious failure the thread is where it was before, with the same value, and its
// node is rewritten before anybody sees it. No class has one. (With failed turns, at most three each, there are 36.)
#include <atomic>
#include <cassert>
#include <thread>

struct Node {
  Node* next = nullptr;
};
std::atomic<Node*> top;
Node nodes[2];

void push(Node* node) {
  Node* old = top.load(std::memory_order_relaxed);
  do {
    node->next = old;
  } while (!top.compare_exchange_weak(old, node, std::memory_order_release, std::memory_order_relaxed));
}

int main() {
  std::thread a(push, &nodes[0]), b(push, &nodes[1]);
  a.join();
  b.join();
  assert((nodes[0].next == nullptr) != (nodes[1].next == nullptr));
}
