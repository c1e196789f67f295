// EXPECT: verified 6
// ARGUMENTS: --count=3 rest
// A program may change its arguments, as InitGoogleTest and getopt do; the next execution has them as they were given. Three
// increments of one atomic: 3! = 6 classes.
#include <atomic>
#include <cassert>
#include <cstring>
#include <thread>
#include <vector>

std::atomic<int> counter{0};

int main(int argc, char** argv) {
  assert(argc == 3 && std::strcmp(argv[1], "--count=3") == 0 && std::strcmp(argv[2], "rest") == 0 && argv[3] == nullptr);
  const int count = argv[1][8] - '0';
  argv[1][8] = '9';   // the text
  argv[1] = argv[2];  // the array
  argv[2] = nullptr;
  std::vector<std::thread> threads;
  for (int i = 0; i < count; ++i) threads.emplace_back([] { counter.fetch_add(1, std::memory_order_relaxed); });
  for (std::thread& thread : threads) thread.join();
  assert(counter == 3 && std::strcmp(argv[1], "rest") == 0);
}
