// The queue with CDSChecker's orders, and a driver made for two threads that starts four: all but the first write the same plain variables.
#include "../programs/ms_queue.h"

struct Orders {
  static constexpr auto kEndNode = std::memory_order_relaxed, kLoadTail = std::memory_order_relaxed;
};

constexpr unsigned kThreads = 4;

int main() {
  MsQueue<Orders, kThreads> queue;
  unsigned in[2] = {}, out[2] = {};
  bool got[2] = {};
  std::thread threads[kThreads];
  for (unsigned i = 0; i < kThreads; ++i)
    threads[i] = std::thread([&, i] {
      const unsigned role = i == 0 ? 0 : 1;
      in[role] = role == 0 ? 17 : 37;
      queue.enqueue(i, in[role]);
      got[role] = queue.dequeue(i, out[role]);
    });
  for (auto& thread : threads) thread.join();
  assert(got[0] && got[1]);
  assert(in[0] + in[1] == out[0] + out[1]);
}
