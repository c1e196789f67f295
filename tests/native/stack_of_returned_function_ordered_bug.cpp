// EXPECT: bug use-after-free
// The function has returned before the other thread is told where its variable was: ordered, but too late. (It is far down the
// stack, so that no other function is there since.)
#include <atomic>
#include <thread>

std::atomic<volatile int*> shared;

volatile int* volatile kept;

__attribute__((noinline)) void keep_address_of_local() {
  volatile int mine[8192];
  mine[0] = 1;
  kept = mine;
}

int main() {
  std::thread other([] {
    volatile int* address = shared.load();
    if (address != nullptr) *address = 2;  // BUG
  });
  keep_address_of_local();
  shared.store(kept);
  other.join();
}
