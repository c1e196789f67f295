// EXPECT: bug data-race value
// The check outside of call_once reads what another thread may be writing.
#include <mutex>
#include <thread>

std::once_flag once;
int value;

void init() {
  if (value == 0)  // BUG
    std::call_once(once, [] { value = 1; });  // BUG
}

int main() {
  std::thread a(init), b(init);
  a.join();
  b.join();
}
