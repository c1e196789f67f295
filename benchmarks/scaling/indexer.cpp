// EXPECT: verified 512
// BLOCKED: 0
// indexer (Flanagan, Godefroid): N threads insert four messages each into a hash table of 128 slots by compare-exchange, with
// linear probing.
// 8^(N-11) classes for N from 11 to 22, 1 for fewer threads. Message m of thread t is 11m + t; so message m of thread t+11 and message
// m+1 of thread t have the same slot, for m = 1, 2, 3: three pairs for each thread beyond the eleventh, and in each pair either may come
// first. The loser goes one slot further, where nobody else wants to be. Published: 4,096 for N = 15, the same.
#include <atomic>

#include "threads.h"

#ifndef N
#define N 14
#endif

constexpr int kSize = 128;
constexpr int kMessages = 4;
std::atomic<int> table[kSize];

int main() {
  run_threads<N>([](int thread) {
    for (int m = 1; m <= kMessages; ++m) {
      const int message = m * 11 + thread;
      int slot = message * 7 % kSize;
      for (int empty = 0; !table[slot].compare_exchange_strong(empty, message); empty = 0) slot = (slot + 1) % kSize;
    }
  });
}
