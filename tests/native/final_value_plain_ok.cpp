// EXPECT: verified 2
// As final_value_ok, but main reads the bytes with memcpy: a plain read of an atomic object, which reads one of the last stores.
#include <atomic>
#include <cassert>
#include <cstring>
#include <thread>

std::atomic<int> x;

int main() {
  std::thread a([] { x.store(1); }), b([] { x.store(2); });
  a.join();
  b.join();
  int value = 0;
  std::memcpy(&value, static_cast<const void*>(&x), sizeof value);
  assert(value == 1 || value == 2);
}
