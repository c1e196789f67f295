// EXPECT: bug leak
// OPTIONS: --leaks
// Both threads may see nothing and store; the block of the one that is overwritten is lost.
#include <atomic>
#include <thread>

std::atomic<int*> shared;

void set() {
  if (shared.load() == nullptr) shared.store(new int(1));  // BUG
}

int main() {
  std::thread a(set), b(set);
  a.join();
  b.join();
  delete shared.load();
}
