// EXPECT: verified
// Whoever got it sees the data; nobody has to.
#include <cassert>
#include <chrono>
#include <semaphore>
#include <thread>

std::counting_semaphore<3> slots(0);
int data;

int main() {
  std::thread a([] {
    data = 1;
    slots.release(1);
  });
  const auto soon = std::chrono::steady_clock::now() + std::chrono::seconds(1);
  if (slots.try_acquire() || slots.try_acquire_until(soon)) assert(data == 1);
  a.join();
}
