// EXPECT: bug assertion
// OPTIONS: --no-spurious
// Nothing fails without a reason. The other thread's turn, which need not be part of the execution, is one.
#include <cassert>
#include <mutex>
#include <thread>

std::mutex mutex;
int ready;

int main() {
  std::thread poll([] {
    for (;;) {
      std::lock_guard guard(mutex);
      if (ready != 0) return;
    }
  });
  const bool is_held = mutex.try_lock();
  if (is_held) mutex.unlock();
  {
    std::lock_guard guard(mutex);
    ready = 1;
  }
  poll.join();
  assert(is_held);  // BUG
}
