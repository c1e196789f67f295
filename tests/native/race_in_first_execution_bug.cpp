// OPTIONS: --keep-going
// EXPECT: bug data-race value
// The very first execution has a race. Run again, to see whether the program is deterministic, another thread may be the one that comes second.
#include <atomic>
#include <thread>

std::atomic<int> turn;
int value;

int main() {
  std::thread one([] {
    turn.fetch_add(1);
    value = 1;  // BUG
  });
  std::thread two([] {
    value = 2;  // BUG
    turn.load();
  });
  one.join();
  two.join();
}
