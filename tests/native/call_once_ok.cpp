// EXPECT: verified
// Exactly one of the threads calls; both see what it did.
#include <cassert>
#include <mutex>
#include <thread>

std::once_flag once;
int calls;

void init() {
  std::call_once(once, [] { ++calls; });
  assert(calls == 1);
}

int main() {
  std::thread a(init), b(init);
  a.join();
  b.join();
  assert(calls == 1);
}
