// EXPECT: bug exception std::out_of_range
// Only if b sees a's store.
#include <atomic>
#include <thread>
#include <vector>

std::atomic<int> index_;
std::vector<int> values(1);

int main() {
  std::thread a([] { index_ = 1; });
  std::thread b([] { values.at(index_)++; });
  a.join();
  b.join();
}
