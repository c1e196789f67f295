// EXPECT: verified
// The constructor throws the first time; the next thread tries again.
#include <atomic>
#include <cassert>
#include <stdexcept>
#include <thread>

int attempts;
std::atomic<int> caught;
struct Value {
  Value() {
    if (++attempts == 1) throw std::runtime_error("not yet");
  }
};

void use() {
  try {
    static Value instance;
  } catch (const std::runtime_error&) {
    ++caught;
  }
}

int main() {
  std::thread a(use), b(use);
  a.join();
  b.join();
  assert(attempts == 2 && caught == 1);
}
