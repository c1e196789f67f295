// EXPECT: verified 105
// BLOCKED: 0
// OPTIONS: --symmetry
// Four threads with two increments each. Threads are told apart by when they had their first, so the first ones come in order: sequences
// of eight in which each of four numbers comes twice, the first occurrences in order, (2·4-1)!! = 7·5·3 = 105. (8!/2⁴ = 2,520 without.)
#include <pthread.h>

#include <atomic>
#include <cassert>

std::atomic<int> counter;

void* run(void*) {
  counter.fetch_add(1);
  counter.fetch_add(1);
  return nullptr;
}

int main() {
  pthread_t threads[4];
  for (pthread_t& thread : threads) pthread_create(&thread, nullptr, run, nullptr);
  for (pthread_t thread : threads) pthread_join(thread, nullptr);
  assert(counter == 8);
}
