// EXPECT: verified 26..178
// CDSChecker's driver on the repaired queue: two threads enqueue and dequeue once.
//
// 26 classes at best and 178 with turns that changed nothing, by brute force (README.md), with CDSChecker's orders too. All of
// them are sequentially consistent: each is an interleaving of the two threads. CDSChecker reports 114 feasible executions, so it misses
// some (README.md).
#include "ms_queue.h"

int main() {
  MsQueue<RepairedOrders> queue;
  bool got[2];
  unsigned values[2];
  auto put_and_get = [&](unsigned thread, unsigned value) {
    queue.enqueue(thread, value);
    got[thread] = queue.dequeue(thread, values[thread]);
  };
  std::thread first(put_and_get, 0, 17), second(put_and_get, 1, 37);
  first.join();
  second.join();
  assert(got[0] && got[1]);
  assert(values[0] + values[1] == 17 + 37);
}
