// EXPECT: verified
// OPTIONS: --full
// LEVELS: O0 O2
// SHOWS: load: the store at line 20 is one that others may read
// What kept a turn: a hazard pointer announces one node, then another (loop_trap_u2). Three turns: a compiler may
// have the first in code of its own.
#include <atomic>
#include <thread>

std::atomic<int> shared, hazard;
int had;
bool kept;

int main() {
  std::thread reader([] {
    int node;
    do {
      node = shared.load(std::memory_order_acquire);
      // The writer looks at this.
      hazard.store(node, std::memory_order_relaxed);
      std::atomic_thread_fence(std::memory_order_seq_cst);
    } while (shared.load(std::memory_order_acquire) != node);
    had = node;
  });
  std::thread writer([] {
    for (int next = 1; next <= 2; ++next) {
      const int old = shared.exchange(next, std::memory_order_acq_rel);
      std::atomic_thread_fence(std::memory_order_seq_cst);
      kept |= hazard.load(std::memory_order_acquire) == old;
    }
  });
  reader.join();
  writer.join();
}
