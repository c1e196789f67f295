// EXPECT: verified 1
// The same as leak_bug, without --leaks.
struct Node {
  Node* next;
};

Node* volatile list;

int main() {
  for (int i = 0; i < 3; ++i) list = new Node{list};
  list = nullptr;
}
