// EXPECT: verified
// As many as there may be.
#include <cassert>
#include <semaphore>
#include <thread>

std::counting_semaphore<3> semaphore(1);

int main() {
  std::thread a([] { semaphore.release(); }), b([] { semaphore.release(); });
  a.join();
  b.join();
  assert(semaphore.try_acquire());
  semaphore.release(1);
}
