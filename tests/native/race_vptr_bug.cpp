// EXPECT: bug data-race
// A virtual call while the destructor sets the pointer to the virtual functions of the base.
#include <thread>

struct Base {
  virtual ~Base() {}
  virtual int f() { return 1; }
};
struct Derived : Base {
  int f() override { return 2; }
};

int main() {
  Base* object = new Derived;
  std::thread a([object] { (void)object->f(); });
  delete object;
  a.join();
}
