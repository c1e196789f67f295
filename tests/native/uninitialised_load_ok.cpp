// EXPECT: verified 2
// The constructor initialises; b reads 0 or a's store.
#include <atomic>
#include <thread>

int main() {
  auto* x = new std::atomic<int>;
  std::thread a([x] { x->store(1); });
  std::thread b([x] { (void)x->load(); });
  a.join();
  b.join();
  delete x;
}
