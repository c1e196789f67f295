// The bounded queue for several producers and consumers of CDSChecker's benchmarks (Norris and Demsky, OOPSLA 2013). One word
// counts the reads and writes that have begun, two others those that have ended; a slot is used between the two.
#pragma once
#include <atomic>
#include <cstdint>
#include <thread>

template <unsigned kSize, std::memory_order kFetch = std::memory_order_acq_rel, std::memory_order kPublish = std::memory_order_release>
class MpmcQueue {
 public:
  MpmcQueue() {
    begun_.store(0);
    reads_ended_.store(0);
    writes_ended_.store(0);
  }

  // A slot to read, until read_consume(); null: the queue is empty.
  std::int32_t* read_fetch() {
    unsigned begun = begun_.load(std::memory_order_acquire);
    for (;;) {
      if (reads(begun) == writes(begun)) return nullptr;
      if (begun_.compare_exchange_weak(begun, begun + kRead, kFetch)) break;
      std::this_thread::yield();
    }
    while ((writes_ended_.load(std::memory_order_acquire) & kMask) != writes(begun)) std::this_thread::yield();
    return &slots_[reads(begun) % kSize];
  }
  void read_consume() { reads_ended_.fetch_add(1, std::memory_order_release); }

  // A slot to write, until write_publish(); null: the queue is full.
  std::int32_t* write_prepare() {
    unsigned begun = begun_.load(std::memory_order_acquire);
    for (;;) {
      if (writes(begun) == ((reads(begun) + kSize) & kMask)) return nullptr;
      const unsigned next = reads(begun) * kRead | ((writes(begun) + 1) & kMask);
      if (begun_.compare_exchange_weak(begun, next, std::memory_order_acq_rel)) break;
      std::this_thread::yield();
    }
    while ((reads_ended_.load(std::memory_order_acquire) & kMask) != reads(begun)) std::this_thread::yield();
    return &slots_[writes(begun) % kSize];
  }
  void write_publish() { writes_ended_.fetch_add(1, kPublish); }

 private:
  static constexpr unsigned kMask = 0xffff, kRead = 0x10000;

  static unsigned reads(unsigned begun) { return begun >> 16 & kMask; }
  static unsigned writes(unsigned begun) { return begun & kMask; }

  std::int32_t slots_[kSize];
  std::atomic<unsigned> begun_, reads_ended_, writes_ended_;
};
