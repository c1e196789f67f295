// EXPECT: bug deadlock first
// SHOWS: for mutex 'second', held by thread 2; thread 2 waits
// a and b wait for each other; main and c are not part of it and go on to their end.
#include <atomic>
#include <mutex>
#include <thread>

std::mutex first, second;
std::atomic<int> work;

int main() {
  std::thread([] {
    std::lock_guard<std::mutex> one(first);
    std::lock_guard<std::mutex> two(second);  // BUG
  }).detach();
  std::thread([] {
    std::lock_guard<std::mutex> two(second);
    std::lock_guard<std::mutex> one(first);  // BUG
  }).detach();
  std::thread c([] { work.fetch_add(1); });
  work.fetch_add(1);
  c.join();
}
