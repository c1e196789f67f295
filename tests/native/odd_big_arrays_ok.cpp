// EXPECT: verified 2
// 64 MB of data and 32 MB of heap, of which little is touched; 1 MB on the stack of a thread.
#include <atomic>
#include <cassert>
#include <cstring>
#include <thread>
#include <vector>

char big[64 << 20];
std::atomic<int> x;

int main() {
  std::vector<char>* heap = new std::vector<char>(32 << 20);
  std::thread a([&] {
    char local[1 << 20];
    std::memset(local, 7, sizeof local);
    big[5 << 20] = local[12345];
    x.fetch_add(1);
  });
  std::thread b([&] {
    (*heap)[1 << 20] = 3;
    x.fetch_add(1);
  });
  a.join();
  b.join();
  assert(big[5 << 20] == 7 && (*heap)[1 << 20] == 3 && big[6 << 20] == 0);
  big[6 << 20] = 1;
  delete heap;
}
