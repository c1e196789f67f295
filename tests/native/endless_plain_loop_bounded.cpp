// EXPECT: bounded --time
// OPTIONS: --time 1 --watchdog 0
// The same with accesses, so that the thread is mostly inside the runtime.
#include <thread>

int main() {
  std::thread a([] {
    int mine = 1;
    int* volatile p = &mine;
    while (*p == 1) {
    }
  });
  a.join();
}
