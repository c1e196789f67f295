// EXPECT: verified 2016
// In the last of eight choices a file is opened, from which a thread reads on: each execution must begin at its start, though nothing was
// open at the milestones of hundreds of executions before. Ten relaxed adds of two threads: C(10, 5) = 252 orders, 8 choices.
#include <ordeal/ordeal.h>

#include <atomic>
#include <cassert>
#include <cstdio>
#include <thread>

std::atomic<int> x;

int main() {
  std::FILE* file = ordeal_choose(8) == 7 ? std::fopen("/proc/self/cmdline", "r") : nullptr;
  const auto add = [] { x.fetch_add(1, std::memory_order_relaxed); };
  std::thread reader([=] {
    add();
    add();
    if (file != nullptr) assert(std::fseek(file, 1, SEEK_CUR) == 0 && std::ftell(file) == 1);
    add();
    add();
    add();
  });
  std::thread other([=] {
    for (int i = 0; i < 5; ++i) add();
  });
  reader.join();
  other.join();
  if (file != nullptr) std::fclose(file);
}
