// EXPECT: verified 21..24
// PENDING (clang O0): a compare-exchange that failed without reason is kept, since a slot that is dead differs
// CDSChecker's driver on the repaired queue: one value goes from a thread to another one, which sleeps until it is there.
//
// 9 classes with --no-spurious, by hand: the consumer finds the value at once (1), or after it announced itself, which the
// signal came before (1) or after (7). Of these: its second look finds it (1); the count has changed when it wants to wait
// (1), or when it has locked (2: it may or may not have seen the signal before); it sleeps (3: its two looks at the count see
// the signal both, the second one only, or not at all).
//
// 21 if one wait may end without reason, by brute force (README.md, also about CDSChecker's 16). Each of the three sleeps may end
// so, with the value there, and the producer locks before or after the consumer is back (6). If the value is not there, the
// consumer announces itself again: it finds it then, and did so before, between or after the producer's two RMWs of the
// count (3), or it sleeps a second time (3).
//
// 24 with the three in which the second turn does not sleep, because the count has changed, and finds the value after it ("spsc-queue, all
// turns"). Such a turn has written back what was there and is as good as none, but with GCC it is not recognised: registers differ.
#include <thread>

#include "spsc_queue.h"

int main() {
  SpscQueue<&EventCount::signal> queue;
  std::thread producer([&] { queue.enqueue(11); });
  std::thread consumer([&] { assert(queue.dequeue() == 11); });
  producer.join();
  consumer.join();
}
