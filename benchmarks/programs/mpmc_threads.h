// The driver of CDSChecker's mpmc-queue: so many threads of each kind on a queue of four slots, which holds one value at
// first or none.
#pragma once
#include <cassert>
#include <vector>

#include "mpmc_queue.h"

namespace mpmc {

struct Threads {
  int writers = 0, readers = 0, both = 0;
};

template <class Queue>
void write(Queue& queue, int value) {
  *queue.write_prepare() = value;
  queue.write_publish();
}
template <class Queue>
void read_all(Queue& queue) {
  while (std::int32_t* slot = queue.read_fetch()) {
    assert(*slot == 1 || *slot == 17);
    queue.read_consume();
  }
}

template <class Queue = MpmcQueue<4>>
void run(Threads count, bool with_value) {
  Queue queue;
  if (with_value) write(queue, 17);
  std::vector<std::thread> threads;
  for (int i = 0; i < count.writers; ++i) threads.emplace_back([&] { write(queue, 1); });
  for (int i = 0; i < count.readers; ++i) threads.emplace_back([&] { read_all(queue); });
  for (int i = 0; i < count.both; ++i)
    threads.emplace_back([&] {
      write(queue, 1);
      read_all(queue);
    });
  for (auto& thread : threads) thread.join();
}

}  // namespace mpmc
