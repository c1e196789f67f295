// EXPECT: verified
// The first call throws, so another one is made.
#include <cassert>
#include <mutex>
#include <stdexcept>
#include <thread>

std::once_flag once;
int attempts, caught;
std::mutex guard;

void init() {
  try {
    std::call_once(once, [] {
      if (++attempts == 1) throw std::runtime_error("not yet");
    });
  } catch (const std::runtime_error&) {
    std::lock_guard<std::mutex> lock(guard);
    ++caught;
  }
}

int main() {
  std::thread a(init), b(init);
  a.join();
  b.join();
  assert(attempts == 2 && caught == 1);
}
