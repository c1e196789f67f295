// EXPECT: bug out-of-bounds
// SHOWS: the memory right behind a block of 16 bytes allocated at
#include <atomic>
#include <thread>

std::atomic<int> size{4};

int main() {
  int* values = new int[4]();
  std::thread a([] { size = 5; });
  const int n = size;
  for (int i = 0; i < n; ++i) values[i] = i;  // BUG
  a.join();
  delete[] values;
}
