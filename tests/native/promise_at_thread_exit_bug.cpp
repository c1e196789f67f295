// EXPECT: bug deadlock
// It becomes ready when the thread ends, and the thread waits for it. The same with an exception and a task.
#include <exception>
#include <future>
#include <thread>

int main() {
  std::promise<int> promise, other;
  std::future<int> future = promise.get_future(), failed = other.get_future();
  std::packaged_task<int()> task([] { return 3; });
  std::future<int> result = task.get_future();
  std::thread a([&] {
    other.set_exception_at_thread_exit(std::exception_ptr());
    task.make_ready_at_thread_exit();
    promise.set_value_at_thread_exit(1);
    future.wait();  // BUG
  });
  a.join();  // BUG
}
