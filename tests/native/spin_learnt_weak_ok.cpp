// EXPECT: verified 24..
// EXPECT (O2): verified 24
// EXPECT (gcc): verified 24
// A spin lock by weak compare-exchanges: the orders of the four sections. A failure, with or without reason, is no part of a class.
// (Clang -O0 keeps turns that differ in dead memory on the stack.)
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<bool> locked;
int counter;

void work() {
  bool expected = false;
  while (!locked.compare_exchange_weak(expected, true, std::memory_order_acquire)) expected = false;
  ++counter;
  locked.store(false, std::memory_order_release);
}

int main() {
  std::thread one(work), two(work), three(work), four(work);
  one.join();
  two.join();
  three.join();
  four.join();
  assert(counter == 4);
}
