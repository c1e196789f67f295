// EXPECT: bug uninitialised-load
// SHOWS: uninitialised sc, from init
#include <atomic>
#include <cstdlib>

int main() {
  auto* x = static_cast<std::atomic<int>*>(std::malloc(sizeof(std::atomic<int>)));
  const int value = x->load();  // BUG
  std::free(x);
  return value != value;
}
