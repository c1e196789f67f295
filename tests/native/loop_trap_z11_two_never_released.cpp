// EXPECT: bounded
// OPTIONS: --max-events 200 --executions 2000
// LEVELS: O0 O2
// Trap Z11 of turns that take something and give it back: two threads go round for ever.
//
// After the turn of each there is one of the other, in one execution or another: that is no change of the object. (Where x grows, the search gets to know the pairs of both.)
#include <ordeal/ordeal.h>
#include <atomic>
#include <thread>

std::atomic<int> x, done;

/// Until there is much. A turn in vain takes something and gives it back.
void poll(bool waits) {
  while (x.load(std::memory_order_relaxed) < 5) {
    x.fetch_sub(1, std::memory_order_relaxed);
    x.fetch_add(1, std::memory_order_relaxed);
    while (waits && x.load(std::memory_order_relaxed) < 5) {
    }
  }
  done.store(1, std::memory_order_relaxed);
}

/// So that the search looks at x from its first execution on.
void begin() {
  for (int i = 0; i < 2; ++i) x.fetch_add(-1), x.fetch_add(1);
}

int main() {
  std::thread(begin).join();
  const bool grows = ordeal_choose(2) == 0;
  std::thread t1(poll, grows), t2(poll, grows);
  std::thread t3([=] {
    if (grows) x.fetch_add(10, std::memory_order_relaxed);
  });
  t1.join();
  t2.join();
  t3.join();
}
