// EXPECT: verified
// A loop with a deadline needs no bound.
#include <atomic>
#include <chrono>
#include <thread>

std::atomic<bool> ready;

int main() {
  std::thread setter([] { ready.store(true); });
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(1);
  while (!ready.load() && std::chrono::steady_clock::now() < deadline) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  setter.join();
}
