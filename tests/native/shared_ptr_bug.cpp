// EXPECT: bug data-race
// The counts are atomic, the pointer itself is not.
#include <memory>
#include <thread>

std::shared_ptr<int> shared = std::make_shared<int>(1);

int main() {
  std::thread a([] { shared = std::make_shared<int>(2); });
  std::shared_ptr<int> copy = shared;
  a.join();
}
