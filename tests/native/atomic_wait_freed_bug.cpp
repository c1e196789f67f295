// EXPECT: bug use-after-free atomic<int>
// It waits for an object that it has freed itself.
#include <atomic>
#include <thread>

int main() {
  auto* flag = new std::atomic<int>(1);
  std::thread other([flag] { flag->load(); });
  other.join();
  std::thread beside([] {});
  delete flag;
  flag->wait(0);  // BUG
  beside.join();
}
