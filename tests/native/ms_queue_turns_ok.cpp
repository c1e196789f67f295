// EXPECT: verified 86..178
// EXPECT (O2): verified 86
// The queue of Michael and Scott, two threads that enqueue and dequeue once (benchmarks/programs/ms-queue.cpp), and every turn is
// counted, so that no turn may be left out; but a turn may be another one's equal.
//
// 178 classes, by brute force (benchmarks/programs/brute_force, "ms-queue, all turns") and by running all interleavings: each is one. In
// 64 of them the second look at the head differs, in 64 others its compare-exchange fails, in 50 neither. CDSChecker has 114.
//
// If the compare-exchange of the head fails, the second look at it, relaxed as well, might have read the same: the turn would have ended, and
// been counted, alike. Without these 64 there are 114 ("ms-queue, no failure"). The same holds where enqueue fails to move the tail: without
// those too there are 86 ("ms-queue, no failing move"). At -O0 not all of them are recognised: slots
// that are dead differ.
#include <atomic>
#include <cassert>
#include <cstdint>
#include <thread>

using Pointer = std::uint64_t;  // count, index; index 0: none
Pointer pointer(unsigned index, unsigned count) { return Pointer{count} << 32 | index; }
unsigned index(Pointer pointer) { return static_cast<unsigned>(pointer); }
unsigned count(Pointer pointer) { return static_cast<unsigned>(pointer >> 32); }

std::atomic<Pointer> next_of[4];  // of node 1, which is there at first, and of those of the two threads
std::atomic<Pointer> head{pointer(1, 0)}, tail{pointer(1, 0)};
int turns[4];  // by the thread's node

bool replace(std::atomic<Pointer>& place, Pointer old, unsigned node) {
  return place.compare_exchange_strong(old, pointer(node, count(old) + 1), std::memory_order_release, std::memory_order_relaxed);
}

void enqueue(unsigned node) {
  for (;; ++turns[node]) {
    const Pointer last = tail.load(std::memory_order_acquire);
    std::atomic<Pointer>& next = next_of[index(last)];
    const Pointer behind = next.load(std::memory_order_acquire);
    if (last != tail.load(std::memory_order_relaxed)) continue;
    if (index(behind) == 0 && replace(next, behind, node)) {
      replace(tail, last, node);
      return;
    }
    replace(tail, last, index(next.load(std::memory_order_acquire)));
  }
}

void dequeue(unsigned node) {
  for (;; ++turns[node]) {
    const Pointer first = head.load(std::memory_order_acquire);
    const Pointer last = tail.load(std::memory_order_acquire);
    const Pointer behind = next_of[index(first)].load(std::memory_order_acquire);
    if (first != head.load(std::memory_order_relaxed)) continue;
    if (index(first) == index(last)) {
      assert(index(behind) != 0);
      replace(tail, last, index(behind));
    } else if (replace(head, first, index(behind))) {
      return;
    }
  }
}

int main() {
  auto put_and_get = [](unsigned node) {
    enqueue(node);
    dequeue(node);
  };
  std::thread a(put_and_get, 2), b(put_and_get, 3);
  a.join();
  b.join();
  assert(turns[2] + turns[3] <= 3);
}
