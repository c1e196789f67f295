// EXPECT: verified
// The detached thread is done with main's variable when main goes on.
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<bool> done;

int main() {
  int mine = 1;
  std::thread([&mine] {
    mine = 2;
    done = true;
  }).detach();
  while (!done) {
  }
  assert(mine == 2);
}
