// One producer and one consumer hand over a million items through a ring.
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <thread>

namespace {

constexpr std::size_t kItems = 1'000'000, kPlaces = 1024;

class Ring {
 public:
  bool push(int item) {
    const std::size_t tail = tail_.load(std::memory_order_relaxed);
    if (tail - head_.load(std::memory_order_acquire) == kPlaces) return false;
    items_[tail % kPlaces] = item;
    tail_.store(tail + 1, std::memory_order_release);
    return true;
  }
  bool pop(int& item) {
    const std::size_t head = head_.load(std::memory_order_relaxed);
    if (tail_.load(std::memory_order_acquire) == head) return false;
    item = items_[head % kPlaces];
    head_.store(head + 1, std::memory_order_release);
    return true;
  }

 private:
  alignas(64) std::atomic<std::size_t> head_{0};
  alignas(64) std::atomic<std::size_t> tail_{0};
  int items_[kPlaces] = {};
} ring;

}  // namespace

int main() {
  std::uint64_t sum = 0;
  std::thread producer([] {
    for (std::size_t i = 0; i < kItems;) {
      if (ring.push(static_cast<int>(i))) ++i;
      else std::this_thread::yield();
    }
  });
  std::thread consumer([&] {
    int item = 0;
    for (std::size_t i = 0; i < kItems;) {
      if (ring.pop(item)) sum += static_cast<std::uint64_t>(item), ++i;
      else std::this_thread::yield();
    }
  });
  producer.join();
  consumer.join();
  return sum == kItems * (kItems - 1) / 2 ? 0 : 1;
}
