// EXPECT: verified 1
// 100 threads that share nothing.
#include <cassert>
#include <thread>
#include <vector>

int main() {
  std::vector<int> results(100);
  std::vector<std::thread> threads;
  for (int i = 0; i < 100; ++i) threads.emplace_back([&results, i] { results[i] = i * i; });
  for (auto& thread : threads) thread.join();
  for (int i = 0; i < 100; ++i) assert(results[i] == i * i);
}
