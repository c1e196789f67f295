// EXPECT: verified
// The same, but it waits before it returns; and again, with another variable at the same place.
#include <atomic>
#include <cassert>
#include <thread>

__attribute__((noinline)) void start(int n) {
  std::atomic<bool> done = false;
  int mine = n;
  std::thread thread([&mine, &done] {
    mine += 1;
    done = true;
  });
  while (!done) {
  }
  assert(mine == n + 1);
  thread.join();
}

int main() {
  start(1);
  start(2);
}
