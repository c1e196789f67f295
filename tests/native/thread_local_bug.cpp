// EXPECT: bug data-race mine
// The address of a thread-local variable is given to another thread.
#include <thread>

thread_local int mine;

int main() {
  int* shared = &mine;
  std::thread a([shared] { *shared = 1; });  // BUG
  mine = 2;  // BUG
  a.join();
}
