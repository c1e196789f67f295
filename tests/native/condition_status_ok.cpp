// EXPECT: verified
// wait_until without a predicate: nobody notifies, so without a spurious wake-up it times out.
// OPTIONS: --no-spurious
#include <cassert>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

std::mutex guard;
std::condition_variable changed;

int main() {
  std::thread waiter([] {
    std::unique_lock<std::mutex> lock(guard);
    const auto end = std::chrono::system_clock::now() + std::chrono::seconds(1);
    assert(changed.wait_until(lock, end) == std::cv_status::timeout);
  });
  waiter.join();
}
