// EXPECT: verified 4
// Two pushes onto a stack, with atomic `next` and a weak compare-exchange, which may fail without reason: stored again, `next` is
// what it was. By hand: the first load of the one who comes second reads the empty list or the first's node; if it reads the empty list, its
// compare-exchange fails and it goes on with the node. Two orders, each in two ways.
#include <atomic>
#include <thread>

struct Node {
  std::atomic<Node*> next;
};
std::atomic<Node*> head;
Node nodes[2];

void push(Node* node) {
  Node* top = head.load(std::memory_order_relaxed);
  do node->next.store(top, std::memory_order_relaxed);
  while (!head.compare_exchange_weak(top, node, std::memory_order_release, std::memory_order_relaxed));
}

int main() {
  std::thread one(push, &nodes[0]), two(push, &nodes[1]);
  one.join();
  two.join();
}
