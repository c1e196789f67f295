// EXPECT: verified
// Main returns while a detached thread may still be anywhere.
#include <atomic>
#include <thread>

std::atomic<int> x;

int main() {
  std::thread([] { x.store(1); x.store(2); }).detach();
  return x.load() > 2;
}
