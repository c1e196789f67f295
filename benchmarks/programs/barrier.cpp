// EXPECT: verified 2..
// What one thread wrote before the barrier the other one reads behind it; a data race if the barrier were wrong.
//
// 2 classes at best: which thread is the last one decides everything else (CDSChecker: 10 feasible executions). A
// waiting turn that is not recognised adds some.
#include "barrier.h"

#include <cassert>

SpinningBarrier barrier(2);
int shared;

int main() {
  std::thread writer([] {
    shared = 1;
    barrier.wait();
  });
  std::thread reader([] {
    barrier.wait();
    assert(shared == 1);
  });
  reader.join();
  writer.join();
}
