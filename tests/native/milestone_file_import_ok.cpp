// EXPECT: verified 2016
// As milestone_file_late_ok, with a call that is not intercepted: that the program imports it tells that there may be files.
#include <ordeal/ordeal.h>

#include <atomic>
#include <cassert>
#include <cstdio>
#include <thread>

std::atomic<int> x;

int main() {
  std::FILE* file = ordeal_choose(8) == 7 ? std::tmpfile() : nullptr;
  if (file != nullptr) std::fputs("abc", file), std::rewind(file);
  const auto add = [] { x.fetch_add(1, std::memory_order_relaxed); };
  std::thread reader([=] {
    add();
    add();
    if (file != nullptr) assert(std::fgetc(file) == 'a');
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
