// EXPECT: verified 8
// 0 wait, 1 go, 2 closed. The third value comes late. Each of three threads reads 1 or 2: 2 * 2 * 2.
#include <atomic>
#include <thread>

std::atomic<int> state{0};
int left_with[3];

void wait(int* result) {
  for (;;) {
    const int seen = state.load(std::memory_order_acquire);
    if (seen == 0) continue;
    *result = seen;
    return;
  }
}

int main() {
  std::thread a(wait, &left_with[0]), b(wait, &left_with[1]), c(wait, &left_with[2]);
  std::thread d([] {
    state.store(1, std::memory_order_release);
    state.store(2, std::memory_order_release);
  });
  a.join();
  b.join();
  c.join();
  d.join();
}
