// EXPECT: bounded --time
// OPTIONS: --time 1 --max-events 1000000000
// One execution that never ends. The first thread's turns all change something, so it is no waiting loop.
#include <atomic>
#include <thread>

std::atomic<unsigned> x;

int main() {
  std::thread a([] {
    for (;;) x.fetch_add(1);
  });
  a.join();
}
