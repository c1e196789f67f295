// EXPECT: bug exception
// The task is never run: its promise is broken.
#include <future>

int main() {
  std::future<int> result;
  {
    std::packaged_task<int(int)> task([](int n) { return n + 1; });
    task.reset();
    result = task.get_future();
  }
  return result.get();  // throws future_error
}
