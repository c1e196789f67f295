// EXPECT: verified 3
// The state is shared by the task, which dies in the thread, and the future, which lets it go in main. The task looks at the count first
// (is there a future to be told?): 2 or 1. If 1, the future was first; if 2, either may be first.
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
