// EXPECT: bug assertion
// OPTIONS: --symmetry
// SHOWS: note: no use of symmetry: thread
// Threads that know who they are: the bug is there only if the one with the greater id comes first.
#include <pthread.h>

#include <atomic>
#include <cassert>
#include <thread>

std::atomic<pthread_t> last;

int main() {
  std::thread threads[2];
  for (std::thread& thread : threads)
    thread = std::thread([] {
      const pthread_t self = pthread_self(), before = last.exchange(self);
      assert(before < self);  // BUG
    });
  for (std::thread& thread : threads) thread.join();
}
