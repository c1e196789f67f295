// EXPECT: bug mismatched-free 16 bytes from new are given to delete as 8 bytes
// FLAGS: -fsized-deallocation
// A derived object is deleted by a pointer to its base, whose destructor is not virtual.
struct Base {
  long a;
};
struct Derived : Base {
  long b;
};

int main() {
  Base* volatile object = new Derived;
  delete object;  // BUG
}
