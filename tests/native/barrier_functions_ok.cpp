// EXPECT: verified
// The completion function runs once in each phase; who drops out is not waited for any more.
#include <barrier>
#include <cassert>
#include <thread>
#include <utility>

int phases;
int data;

int main() {
  std::barrier barrier(2, []() noexcept { ++phases; });
  std::thread a([&] {
    data = 1;
    barrier.arrive_and_drop();
  });
  auto token = barrier.arrive();
  barrier.wait(std::move(token));
  assert(data == 1 && phases == 1);
  barrier.arrive_and_wait();
  assert(phases == 2);
  a.join();
}
