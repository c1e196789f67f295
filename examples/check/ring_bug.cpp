// EXPECT: bug data-race
//
// A queue for one producer and one consumer. The producer's index is right; the consumer's is relaxed. When the ring is full and the
// consumer frees a slot, the producer may write there although the consumer's read is not known to be over. It takes three
// elements in two slots to see it, so tests that never fill the queue pass.
//
// Ordeal says: data race on the slot.
#include <array>
#include <atomic>
#include <cassert>
#include <optional>
#include <thread>

class Ring {
 public:
  bool push(int value) {
    unsigned tail = tail_.load(std::memory_order_relaxed);
    if (tail - head_.load(std::memory_order_relaxed) == slots_.size()) return false;
    slots_[tail % slots_.size()] = value;
    tail_.store(tail + 1, std::memory_order_release);
    return true;
  }
  std::optional<int> pop() {
    unsigned head = head_.load(std::memory_order_relaxed);
    if (tail_.load(std::memory_order_acquire) == head) return std::nullopt;
    int value = slots_[head % slots_.size()];
    head_.store(head + 1, std::memory_order_relaxed);
    return value;
  }

 private:
  std::array<int, 2> slots_;
  std::atomic<unsigned> head_ = 0, tail_ = 0;
};

Ring ring;

int main() {
  std::thread producer([] {
    for (int i = 0; i < 3; ++i) {
      while (!ring.push(i)) {
      }
    }
  });
  for (int i = 0; i < 3; ++i) {
    std::optional<int> value;
    while (!(value = ring.pop())) {
    }
    assert(*value == i);
  }
  producer.join();
}
