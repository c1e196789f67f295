// EXPECT: bug data-race shared
// A handler of on_exit writes what a detached thread writes, too.
#include <cstdlib>
#include <thread>

int shared;

void at_end(int, void*) { shared = 1; }  // BUG

int main() {
  on_exit(at_end, nullptr);
  std::thread([] { shared = 2; }).detach();  // BUG
}
