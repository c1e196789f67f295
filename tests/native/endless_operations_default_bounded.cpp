// EXPECT: bounded thread 1 made 20000 operations
// Every turn changes something, so this is no waiting loop. The search ends long before the memory does.
#include <atomic>
#include <thread>

std::atomic<unsigned> x;

int main() {
  std::thread a([] {
    for (;;) x.fetch_add(1);
  });
  std::thread b([] { x.store(7); });
  a.join();
  b.join();
}
