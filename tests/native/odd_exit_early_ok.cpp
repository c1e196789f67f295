// EXPECT: verified
// exit in main, deep in a call, while a thread is still joinable: no destructor of main's locals runs.
#include <atomic>
#include <cstdlib>
#include <thread>

std::atomic<int> x;
void leave() { std::exit(0); }

int main() {
  std::thread a([] { x = 1; });
  leave();
}
