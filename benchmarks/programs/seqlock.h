// A sequence lock for several writers. The sequence number is odd while one of them writes; a reader starts again if the number was odd,
// or is another one after it has read. Two ways to order the data against the sequence number: by the accesses to the data,
// or by fences around relaxed accesses. The latter yields.
#pragma once

#include <array>
#include <atomic>
#include <thread>

enum class SeqlockOrder { kAccesses, kFences };

template <int Words, SeqlockOrder order = SeqlockOrder::kAccesses,
          std::memory_order WriterLoad = std::memory_order_acquire>
class Seqlock {
 public:
  using Data = std::array<int, Words>;

  Data read() const {
    for (;;) {
      const int before = sequence_.load(std::memory_order_acquire);
      if (before % 2 != 0) {
        pause();
        continue;
      }
      Data data;
      for (int i = 0; i < Words; ++i)
        data[i] = data_[i].load(kFences ? std::memory_order_relaxed : std::memory_order_acquire);
      if constexpr (kFences) std::atomic_thread_fence(std::memory_order_acquire);
      if (sequence_.load(std::memory_order_relaxed) == before) {
        pause();
        return data;
      }
    }
  }

  void write(const Data& data) {
    for (;;) {
      int before = sequence_.load(WriterLoad);
      if (before % 2 != 0) {
        pause();
        continue;
      }
      if (sequence_.compare_exchange_strong(before, before + 1, std::memory_order_relaxed)) break;
    }
    pause();
    if constexpr (kFences) std::atomic_thread_fence(std::memory_order_release);
    for (int i = 0; i < Words; ++i)
      data_[i].store(data[i], kFences ? std::memory_order_relaxed : std::memory_order_release);
    sequence_.fetch_add(1, std::memory_order_release);
  }

  void clear() {
    sequence_ = 0;
    for (std::atomic<int>& word : data_) word = 0;
  }

 private:
  static constexpr bool kFences = order == SeqlockOrder::kFences;
  static void pause() {
    if constexpr (kFences) std::this_thread::yield();
  }

  std::atomic<int> sequence_ = 0;
  std::array<std::atomic<int>, Words> data_{};
};
