// EXPECT: verified 6
// BLOCKED: 0
// OPTIONS: --symmetry
// Five threads with a critical section each, and main's own, which comes in any of six places among them.
#include <cassert>
#include <mutex>
#include <thread>

std::mutex mutex;
int counter;

void section() {
  std::lock_guard lock(mutex);
  ++counter;
}

int main() {
  std::thread threads[5];
  for (std::thread& thread : threads) thread = std::thread(section);
  section();
  for (std::thread& thread : threads) thread.join();
  assert(counter == 6);
}
