// EXPECT: verified
// CDSChecker's driver on the repaired queue: one value goes from a thread to another one, which sleeps until it is there.
//
// 9 classes with --no-spurious, by hand: the consumer finds the value at once (1), or after it announced itself, which the
// signal came before (1) or after (7). Of these: its second look finds it (1); the count has changed when it wants to wait
// (1), or when it has locked (2: it may or may not have seen the signal before); it sleeps (3: its two looks at the count see
// the signal both, the second one only, or not at all). CDSChecker: 16 feasible executions. Waits that end without reason,
// which CDSChecker does not have, make it more.
#include <thread>

#include "spsc_queue.h"

int main() {
  SpscQueue<&EventCount::signal> queue;
  std::thread producer([&] { queue.enqueue(11); });
  std::thread consumer([&] { assert(queue.dequeue() == 11); });
  producer.join();
  consumer.join();
}
