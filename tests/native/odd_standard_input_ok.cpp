// EXPECT: verified 2
// Standard input is empty, in each execution.
#include <atomic>
#include <cassert>
#include <cstdio>
#include <iostream>
#include <thread>

std::atomic<int> x;

int main() {
  assert(std::getchar() == EOF);
  int number;
  assert(!(std::cin >> number));
  std::thread a([] { x = 1; });
  x.load();
  a.join();
}
