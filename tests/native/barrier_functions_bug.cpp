// EXPECT: bug data-race data
// To arrive is not to wait.
#include <barrier>
#include <thread>
#include <utility>

int data;

int main() {
  std::barrier barrier(2);
  std::thread a([&] {
    data = 1;  // BUG
    barrier.arrive_and_drop();
  });
  auto token = barrier.arrive();
  data = 2;  // BUG
  barrier.wait(std::move(token));
  barrier.arrive_and_wait();
  a.join();
}
