// EXPECT: verified 2
// FILES: parts/counter.c parts/other.cpp
// C and C++ in three files: two increments under a pthread mutex, in two orders.
#include <cassert>
#include <thread>

extern "C" void counter_add(int n);
extern "C" int counter_value(void);
int twice(int n);

int main() {
  std::thread a(counter_add, twice(1)), b(counter_add, twice(2));
  a.join();
  b.join();
  assert(counter_value() == 6);
}
