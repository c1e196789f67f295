// EXPECT: bug deadlock queue
// The queue as CDSChecker found it: the producer's relaxed load can miss that the consumer is about to sleep, which is never
// woken then.
#include <thread>

#include "spsc_queue.h"

int main() {
  SpscQueue<&EventCount::signal_relaxed> queue;
  std::thread producer([&] { queue.enqueue(11); });
  std::thread consumer([&] { assert(queue.dequeue() == 11); });
  producer.join();
  consumer.join();
}
