// EXPECT: verified
// Who gives up has waited that long.
#include <cassert>
#include <chrono>
#include <semaphore>

int main() {
  using namespace std::chrono_literals;
  std::counting_semaphore<2> semaphore(1);
  assert(semaphore.try_acquire_for(10ms));
  const auto before = std::chrono::steady_clock::now();
  assert(!semaphore.try_acquire_for(250ms));
  assert(std::chrono::steady_clock::now() - before >= 250ms);
  assert(!semaphore.try_acquire_until(before + 1s));
  assert(std::chrono::steady_clock::now() - before >= 1s);
}
