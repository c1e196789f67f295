// EXPECT: bug data-race|use-after-free
// main returns while a detached thread may still use its variable.
#include <atomic>
#include <thread>

std::atomic<bool> started;

int main() {
  int mine = 1;
  std::thread([&mine] {
    started = true;
    mine = 2;
  }).detach();
  while (!started) {
  }
}
