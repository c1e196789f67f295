// EXPECT: verified 6
// BLOCKED: 0
// Two threads move a head on as the queue of Michael and Scott does (ms_queue_turns_ok.cpp). One of them is first. The other sees its
// head at the first look, or at the second one, or when the compare-exchange fails, and then goes round again: 2 · 3.
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<int> head;
int seen_by_look[2], seen_by_failure[2];

void move_on(int me) {
  for (;;) {
    int first = head.load(std::memory_order_acquire);
    if (first != head.load(std::memory_order_relaxed)) {
      ++seen_by_look[me];
    } else if (head.compare_exchange_strong(first, first + 1, std::memory_order_release, std::memory_order_relaxed)) {
      return;
    } else {
      ++seen_by_failure[me];
    }
  }
}

int main() {
  std::thread a(move_on, 0), b(move_on, 1);
  a.join();
  b.join();
  assert(head.load() == 2);
  assert(seen_by_look[0] + seen_by_look[1] + seen_by_failure[0] + seen_by_failure[1] <= 1);
}
