// EXPECT: verified 2
// The load reads 0 or 2. One thread makes no atomic access at all; what it wrote must be there in the second execution too,
// which starts from a revisited load.
#include <atomic>
#include <cassert>
#include <memory>
#include <thread>

std::atomic<int> x;
std::unique_ptr<int> made;

int main() {
  std::thread reader([] { x.load(); });
  std::thread maker([] { made = std::make_unique<int>(1); });
  maker.join();
  assert(*made == 1);
  x.store(2);
  reader.join();
}
