// EXPECT: verified
// Ready when the thread ends, behind its thread-local objects: what their destructors did is seen. An exception, and a task, likewise.
#include <cassert>
#include <future>
#include <stdexcept>
#include <thread>
#include <utility>

int written;
struct AtEnd {
  int value = 0;
  ~AtEnd() { written = value; }
};
thread_local AtEnd at_end;

int main() {
  std::promise<int> promise, other;
  std::future<int> future = promise.get_future(), failed = other.get_future();
  std::packaged_task<int()> task([] { return 3; });
  std::future<int> result = task.get_future();
  std::thread a([&] {
    promise.set_value_at_thread_exit(1);
    other.set_exception_at_thread_exit(std::make_exception_ptr(std::runtime_error("no")));
    task.make_ready_at_thread_exit();
    at_end.value = 2;
  });
  assert(future.get() == 1);
  assert(written == 2);
  try {
    failed.get();
    assert(false);
  } catch (const std::runtime_error&) {
  }
  assert(result.get() == 3);
  a.join();
}
