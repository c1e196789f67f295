// EXPECT: bug leak nor are 2 that only it leads to
// OPTIONS: --leaks
// A list of three that nothing leads to any more: only its head is told.
struct Node {
  Node* next;
};

Node* volatile list;

int main() {
  for (int i = 0; i < 3; ++i) list = new Node{list};  // BUG
  list = nullptr;
}
