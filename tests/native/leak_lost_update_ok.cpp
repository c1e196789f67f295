// EXPECT: verified 2..
// OPTIONS: --leaks
// The one that comes second frees its own block.
#include <atomic>
#include <thread>

std::atomic<int*> shared;

void set() {
  int* mine = new int(1);
  int* none = nullptr;
  if (!shared.compare_exchange_strong(none, mine)) delete mine;
}

int main() {
  std::thread a(set), b(set);
  a.join();
  b.join();
  delete shared.load();
}
