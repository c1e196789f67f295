// A bounded queue with a mutex and two condition variables.
#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>

namespace {

constexpr int kItems = 200'000;
constexpr std::size_t kMost = 64;

std::mutex mutex;
std::condition_variable not_empty, not_full;
std::deque<int> queue;

}  // namespace

int main() {
  long sum = 0;
  std::thread producer([] {
    for (int i = 0; i < kItems; ++i) {
      std::unique_lock lock(mutex);
      not_full.wait(lock, [] { return queue.size() < kMost; });
      queue.push_back(i);
      not_empty.notify_one();
    }
  });
  std::thread consumer([&] {
    for (int i = 0; i < kItems; ++i) {
      std::unique_lock lock(mutex);
      not_empty.wait(lock, [] { return !queue.empty(); });
      sum += queue.front();
      queue.pop_front();
      not_full.notify_one();
    }
  });
  producer.join();
  consumer.join();
  return sum == static_cast<long>(kItems) * (kItems - 1) / 2 ? 0 : 1;
}
