// The reader-writer lock of the Linux kernel, from CDSChecker's benchmarks (Norris and Demsky, OOPSLA 2013): a counter from
// which a reader takes 1 and a writer everything. Who took too much gives it back and waits.
#pragma once
#include <atomic>
#include <thread>

/// The orders in which write_lock takes it, and takes it again, and in which read_lock takes it again.
template <std::memory_order kWriteLock = std::memory_order_acquire, std::memory_order kWriteAgain = std::memory_order_acquire, std::memory_order kReadAgain = std::memory_order_acquire>
class LinuxRwLock {
 public:
  void read_lock() {
    for (int had = take(1); had <= 0; had = take(1, kReadAgain)) {
      give_back(1);
      while (!read_can_lock()) std::this_thread::yield();
    }
  }
  void write_lock() {
    for (int had = take(kBias, kWriteLock); had != kBias; had = take(kBias, kWriteAgain)) {
      give_back(kBias);
      while (!write_can_lock()) std::this_thread::yield();
    }
  }

  bool read_trylock() {
    if (take(1) > 0) return true;
    give_back(1);
    return false;
  }
  bool write_trylock() {
    if (take(kBias) == kBias) return true;
    give_back(kBias);
    return false;
  }

  void read_unlock() { counter_.fetch_add(1, std::memory_order_release); }
  void write_unlock() { counter_.fetch_add(kBias, std::memory_order_release); }

  bool read_can_lock() const { return counter_.load(std::memory_order_relaxed) > 0; }
  bool write_can_lock() const { return counter_.load(std::memory_order_relaxed) == kBias; }

 private:
  static constexpr int kBias = 0x00100000;

  int take(int amount, std::memory_order order = std::memory_order_acquire) { return counter_.fetch_sub(amount, order); }
  void give_back(int amount) { counter_.fetch_add(amount, std::memory_order_relaxed); }

  std::atomic<int> counter_{kBias};
};
