// EXPECT: bug assertion both gave up
// As spin_learnt_choice_ok: both threads may give up.
#include <ordeal/ordeal.h>

#include <atomic>
#include <thread>

std::atomic<int> flag{0};
bool gave_up[2];

void wait(bool* result) {
  while (flag.load() == 0) {
    if (ordeal_choose(2) == 0) continue;
    *result = true;
    return;
  }
}

int main() {
  std::thread a(wait, &gave_up[0]), b(wait, &gave_up[1]), c([] { flag.store(1); });
  a.join();
  b.join();
  c.join();
  ordeal_check(!gave_up[0] || !gave_up[1], "both gave up");  // BUG
}
