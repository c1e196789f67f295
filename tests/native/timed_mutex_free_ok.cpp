// EXPECT: verified 1
// OPTIONS: --no-spurious
// Nobody else is there: POSIX says that a lock that can be taken at once does not time out.
#include <cassert>
#include <chrono>
#include <mutex>

int main() {
  std::timed_mutex mutex;
  assert(mutex.try_lock_for(std::chrono::seconds(1)));
  mutex.unlock();
}
