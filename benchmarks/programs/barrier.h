// The spinning barrier of CDSChecker's benchmarks (Norris and Demsky, OOPSLA 2013): the last of n threads to arrive starts
// a new step, for which the others wait. All operations are seq_cst, but for that start in a broken version.
#pragma once
#include <atomic>
#include <thread>

template <std::memory_order kStart = std::memory_order_seq_cst>
class SpinningBarrier {
 public:
  explicit SpinningBarrier(unsigned threads) : threads_(threads) {
    waiting_.store(0);
    step_.store(0);
  }

  // Returns whether this thread was the last one.
  bool wait() {
    const unsigned step = step_.load();
    if (waiting_.fetch_add(1) == threads_ - 1) {
      waiting_.store(0);
      step_.fetch_add(1, kStart);
      return true;
    }
    while (step_.load() == step) std::this_thread::yield();
    return false;
  }

 private:
  const unsigned threads_;
  std::atomic<unsigned> waiting_, step_;
};
