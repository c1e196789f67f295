// EXPECT: verified 1
// More than 64 threads; each writes its own, and is joined.
#include <cassert>
#include <thread>
#include <vector>

int main() {
  std::vector<int> done(100);
  std::vector<std::thread> threads;
  for (int& mine : done) threads.emplace_back([&mine] { mine = 1; });
  int sum = 0;
  for (std::thread& thread : threads) thread.join();
  for (const int mine : done) sum += mine;
  assert(sum == 100);
}
