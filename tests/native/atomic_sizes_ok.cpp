// EXPECT: verified 32
// b loads each of five atomics of different sizes once, relaxed, and a stores each once, relaxed: 2^5 = 32.
#include <atomic>
#include <cassert>
#include <cstdint>
#include <thread>

std::atomic<std::uint8_t> one{1};
std::atomic<std::uint16_t> two{2};
std::atomic<std::uint32_t> four{4};
std::atomic<std::uint64_t> eight{8};
std::atomic<std::int8_t> negative{-1};

template <class T>
void store(std::atomic<T>& x, T value) { x.store(value, std::memory_order_relaxed); }
template <class T>
void load(std::atomic<T>& x, T before, T after) {
  const T value = x.load(std::memory_order_relaxed);
  assert(value == before || value == after);
}

int main() {
  std::thread a([] {
    store<std::uint8_t>(one, 0xF1);
    store<std::uint16_t>(two, 0xF2F2);
    store<std::uint32_t>(four, 0xF4F4F4F4);
    store<std::uint64_t>(eight, 0xF8F8F8F8F8F8F8F8);
    store<std::int8_t>(negative, -128);
  });
  std::thread b([] {
    load<std::uint8_t>(one, 1, 0xF1);
    load<std::uint16_t>(two, 2, 0xF2F2);
    load<std::uint32_t>(four, 4, 0xF4F4F4F4);
    load<std::uint64_t>(eight, 8, 0xF8F8F8F8F8F8F8F8);
    load<std::int8_t>(negative, -1, -128);
  });
  a.join();
  b.join();
}
