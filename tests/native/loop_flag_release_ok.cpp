// EXPECT: verified 1
// LEVELS: O0 O2
// As loop_flag_wait_ok.cpp: the flag is set by a release store, after a plain variable was written that is put back before the turn ends. A release store shows to
// those who acquire what it stored, and nobody reads the flag: nothing is shown.
//
// 1 class: a reads the 1.
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<int> ready, polling;
int depth;

int main() {
  std::thread a([] {
    while (ready.load(std::memory_order_acquire) == 0) {
      ++depth;
      polling.store(1, std::memory_order_release);
      polling.store(0, std::memory_order_seq_cst);
      --depth;
    }
  });
  std::thread b([] { ready.store(1, std::memory_order_release); });
  a.join();
  b.join();
  assert(depth == 0);
}
