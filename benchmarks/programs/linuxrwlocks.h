// The readers-writer lock of old Linux kernels: one counter, kBias while the lock is free. A reader takes 1 of it, a writer all.
#pragma once

#include <atomic>
#include <thread>

template <std::memory_order WriteLock = std::memory_order_acquire>
class RwLock {
 public:
  void read_lock() {
    while (counter_.fetch_sub(1, std::memory_order_acquire) <= 0) {
      counter_.fetch_add(1, std::memory_order_relaxed);
      while (!read_can_lock()) std::this_thread::yield();
    }
  }

  void write_lock() {
    while (counter_.fetch_sub(kBias, WriteLock) != kBias) {
      counter_.fetch_add(kBias, std::memory_order_relaxed);
      while (!write_can_lock()) std::this_thread::yield();
    }
  }

  bool read_try_lock() {
    if (counter_.fetch_sub(1, std::memory_order_acquire) > 0) return true;
    counter_.fetch_add(1, std::memory_order_relaxed);
    return false;
  }

  bool write_try_lock() {
    if (counter_.fetch_sub(kBias, WriteLock) == kBias) return true;
    counter_.fetch_add(kBias, std::memory_order_relaxed);
    return false;
  }

  void read_unlock() { counter_.fetch_add(1, std::memory_order_release); }
  void write_unlock() { counter_.fetch_add(kBias, std::memory_order_release); }
  bool read_can_lock() const { return counter_.load(std::memory_order_relaxed) > 0; }
  bool write_can_lock() const { return counter_.load(std::memory_order_relaxed) == kBias; }

 private:
  static constexpr int kBias = 0x00100000;
  std::atomic<int> counter_ = kBias;
};
