// EXPECT: bug no-progress flag
// SHOWS: in a loop for a change of 'flag'
// SHOWS: main reads 'flag' = 1 again and again, from the store of thread 1
// The flag is never set to 2.
#include <atomic>
#include <thread>

std::atomic<int> flag;

int main() {
  std::thread a([] { flag = 1; });
  while (flag != 2) {  // BUG
  }
  a.join();
}
