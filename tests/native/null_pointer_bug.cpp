// EXPECT: bug signal invalid memory access
#include <atomic>
#include <thread>

std::atomic<int*> pointer;
int object;

int main() {
  std::thread a([] { pointer = &object; });
  const int value = *pointer.load();  // BUG
  a.join();
  return value;
}
