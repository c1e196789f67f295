// The barrier of ../programs, with relaxed operations: it does not order what comes before it and behind.
#include <atomic>
#include <thread>

std::atomic<unsigned> waiting{0}, step{0};
int variable = 0;

void wait() {
  const unsigned now = step.load(std::memory_order_relaxed);
  if (waiting.fetch_add(1, std::memory_order_relaxed) == 1) {
    waiting.store(0, std::memory_order_relaxed);
    step.fetch_add(1, std::memory_order_relaxed);
    return;
  }
  while (step.load(std::memory_order_relaxed) == now) std::this_thread::yield();
}

int main() {
  std::thread a([] { variable = 1, wait(); });
  std::thread b([] { wait(), (void)*const_cast<volatile int*>(&variable); });
  b.join();
  a.join();
}
