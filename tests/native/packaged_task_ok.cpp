// EXPECT: verified 3
// By hand. The state is shared by the task, which dies in the thread, and the future, which lets it go in main: two RMWs of the count, t and m. Before t the thread
// loads the count (is there a future to be told?). It reads 1, from m: then m is before t: 1 class. It reads 2, from before m: t and m in either order: 2.
// The flag is set once, and looks in vain are left out. What follows the join is main's alone.
#include <cassert>
#include <future>
#include <thread>
#include <utility>

int main() {
  std::packaged_task<int(int)> task([](int n) { return n + 1; });
  std::future<int> result = task.get_future();
  assert(task.valid());
  std::thread a(std::move(task), 41);
  assert(result.get() == 42);
  a.join();
  std::packaged_task<int(int)> again([](int n) { return n; });
  again(1);
  again.reset();
  std::future<int> second = again.get_future();
  again(2);
  assert(second.get() == 2);
}
