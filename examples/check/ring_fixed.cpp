// EXPECT: verified
//
// ring_bug.cpp with release and acquire on the consumer's index too: both sides hand something over, one an element, the other a free slot.
//
// Ordeal says: verified. Both waiting loops need no bound.
#include <array>
#include <atomic>
#include <cassert>
#include <optional>
#include <thread>

class Ring {
 public:
  bool push(int value) {
    unsigned tail = tail_.load(std::memory_order_relaxed);
    if (tail - head_.load(std::memory_order_acquire) == slots_.size()) return false;
    slots_[tail % slots_.size()] = value;
    tail_.store(tail + 1, std::memory_order_release);
    return true;
  }
  std::optional<int> pop() {
    unsigned head = head_.load(std::memory_order_relaxed);
    if (tail_.load(std::memory_order_acquire) == head) return std::nullopt;
    int value = slots_[head % slots_.size()];
    head_.store(head + 1, std::memory_order_release);
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
