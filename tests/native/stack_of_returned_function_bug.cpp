// EXPECT: bug use-after-free|data-race
// A function starts a thread that uses its variable, and does not wait until it is done with it.
#include <atomic>
#include <thread>

std::atomic<bool> started, done;

__attribute__((noinline)) void start() {
  int mine = 1;
  std::thread([&mine] {
    started = true;
    mine = 2;
    done = true;
  }).detach();
  while (!started) {
  }
}

int main() {
  start();
  while (!done) {
  }
}
