// EXPECT: bug assertion gave_up
// LEVELS: O0 O2
// Trap H5: as H1, but the function is called by pointer.
//
// Where such a call leads is not to be seen in the code. A function that was compiled with instrumentation announces itself when it is called; this one does not, so the turn may have changed anything.
#include <atomic>
#include <cassert>
#include <thread>

#ifdef __clang__
#define HIDDEN __attribute__((noinline, disable_sanitizer_instrumentation))
#else
#define HIDDEN __attribute__((noinline, no_sanitize("thread")))
#endif

std::atomic<int> flag;
int looks, gave_up;

HIDDEN void count(int* at) { ++*at; }
void (*volatile called)(int*) = &count;

int main() {
  std::thread a([] {
    while (flag.load(std::memory_order_relaxed) == 0) {
      called(&looks);
      if (looks == 3) {
        gave_up = 1;
        return;
      }
    }
  });
  std::thread b([] { flag.store(1, std::memory_order_relaxed); });
  a.join();
  b.join();
  assert(!gave_up);  // BUG
}
