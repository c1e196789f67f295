// EXPECT: bug deadlock|no-progress
// One is released, two are wanted.
#include <chrono>
#include <semaphore>
#include <thread>

std::counting_semaphore<2> slots(0);
std::binary_semaphore other(0);

int main() {
  std::thread a([] { slots.release(); });
  const auto soon = std::chrono::steady_clock::now() + std::chrono::seconds(1);
  if (other.try_acquire() || other.try_acquire_for(std::chrono::seconds(1)) || other.try_acquire_until(soon)) return 1;
  slots.acquire();
  slots.acquire();  // BUG
  a.join();
}
