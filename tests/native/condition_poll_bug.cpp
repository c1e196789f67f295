// EXPECT: bug no-progress
// Time-outs do not help if nobody ever sets what is waited for.
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

std::mutex guard;
std::condition_variable changed;
bool ready;

int main() {
  std::thread consumer([] {
    std::unique_lock<std::mutex> lock(guard);
    while (!ready) changed.wait_for(lock, std::chrono::milliseconds(1));  // BUG
  });
  changed.notify_one();
  consumer.join();  // BUG
}
