// EXPECT: verified 2
// The load of `other` reads 0 or 1. Where an atomic was, single bytes are written afterwards: they are what counts.
#include <atomic>
#include <cassert>
#include <cstring>
#include <new>
#include <thread>

std::atomic<int> other;
alignas(8) char memory[16];

int main() {
  auto* number = new (memory) std::atomic<int>(0);
  std::thread thread([&] {
    number->store(7);
    other.store(1);
  });
  other.load();
  thread.join();
  assert(number->load() == 7);
  number->~atomic();
  for (int i = 0; i < 3; ++i) memory[i] = static_cast<char>('a' + i);
  int value = 0;
  std::memcpy(&value, memory, sizeof value);
  assert(value == 0x00636261);  // the fourth byte is still that of the number
}
