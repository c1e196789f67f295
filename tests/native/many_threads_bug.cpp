// EXPECT: cannot-check more than 256 threads
#include <thread>
#include <vector>

int main() {
  std::vector<std::thread> threads;
  for (int i = 0; i < 300; ++i) threads.emplace_back([] {});
  for (std::thread& thread : threads) thread.join();
}
