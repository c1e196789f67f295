// EXPECT: bug data-race 'box.value' (local of main::{lambda})
// PENDING (clang): Clang 14 does not instrument accesses of a function to members of its own local variables
// The frame belongs to a thread's own function, and the variable to a block in it.
#include <thread>

struct Box {
  virtual ~Box() = default;
  int value = 0;
};

int main() {
  std::thread outer([] {
    for (int i = 0; i < 1; ++i) {
      Box box;
      std::thread inner([&box] { box.value = 1; });  // BUG
      box.value = 2;                                 // BUG
      inner.join();
    }
  });
  outer.join();
}
