// EXPECT: bug no-progress flag
// PENDING: the report does not name the variable
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
