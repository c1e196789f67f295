// EXPECT: bug data-race value
// OPTIONS: --symmetry
// SHOWS: note: no use of symmetry: thread 2 accesses what its creator accesses between the creations
// Main writes between the creations what the last to come reads: a race only if that is the first thread.
#include <atomic>
#include <thread>

std::atomic<int> counter;
int value;

void run() {
  if (counter.fetch_add(1, std::memory_order_relaxed) == 1 && value == 2) counter.store(0);  // BUG
}

int main() {
  std::thread a(run);
  value = 1;  // BUG
  std::thread b(run);
  a.join();
  b.join();
}
