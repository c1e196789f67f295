// EXPECT: bug signal invalid memory access
struct Node {
  int value;
  Node* next;
};
Node* volatile head;

int main() {
  head->value = 1;  // BUG
}
