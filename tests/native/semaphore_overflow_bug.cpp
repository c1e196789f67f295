// EXPECT: bug lock-misuse releases, beyond its maximum, the semaphore
// Two threads release a binary semaphore that has nothing: fine only if somebody takes it in between.
#include <semaphore>
#include <thread>

std::binary_semaphore semaphore(0);

int main() {
  std::thread a([] { semaphore.release(); });  // BUG
  std::thread b([] { semaphore.release(); });  // BUG
  semaphore.acquire();
  a.join();
  b.join();
  semaphore.acquire();
}
