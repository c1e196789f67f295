// EXPECT: bug assertion
// A loop with a deadline may give up, however long it is.
#include <atomic>
#include <cassert>
#include <chrono>
#include <thread>

std::atomic<bool> ready;

int main() {
  std::thread setter([] { ready.store(true); });
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(1);
  while (!ready.load() && std::chrono::steady_clock::now() < deadline) std::this_thread::yield();
  assert(ready.load());  // BUG
  setter.join();
}
