// EXPECT: bug signal division by zero
#include <atomic>
#include <thread>

std::atomic<int> divisor{1};
volatile int result;

int main() {
  std::thread a([] { divisor = 0; });
  result = 10 / divisor.load();  // BUG
  a.join();
}
