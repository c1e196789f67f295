// EXPECT: verified
//
// dekker_bug.cpp with sequentially consistent accesses (the default of std::atomic): one of the two flags is raised first, and
// the other thread sees it.
//
// Ordeal says: verified.
#include <atomic>
#include <thread>

std::atomic<bool> wants[2] = {false, false};
int shared = 0;

void enter(int me) {
  wants[me].store(true, std::memory_order_seq_cst);
  if (!wants[1 - me].load(std::memory_order_seq_cst)) {
    ++shared;  // the other one has not raised its flag: it will see mine
  }
}

int main() {
  std::thread first(enter, 0);
  std::thread second(enter, 1);
  first.join();
  second.join();
}
