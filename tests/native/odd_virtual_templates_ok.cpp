// EXPECT: verified 6
// Three increments under a mutex, reached by virtual functions, templates and std::function: 3! orders.
#include <cassert>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

template <class T>
class Guarded {
 public:
  template <class F>
  auto with(F&& f) {
    std::lock_guard<std::mutex> lock(mutex_);
    return f(value_);
  }

 private:
  std::mutex mutex_;
  T value_{};
};

struct Task {
  virtual ~Task() = default;
  virtual void run(Guarded<int>& counter) = 0;
};
template <int N>
struct Add : Task {
  void run(Guarded<int>& counter) override {
    counter.with([](int& value) { value += N; });
  }
};

int main() {
  Guarded<int> counter;
  std::vector<std::unique_ptr<Task>> tasks;
  tasks.push_back(std::make_unique<Add<1>>());
  tasks.push_back(std::make_unique<Add<2>>());
  tasks.push_back(std::make_unique<Add<4>>());
  std::vector<std::function<void()>> functions;
  for (auto& task : tasks) functions.emplace_back([&counter, &task] { task->run(counter); });
  std::vector<std::thread> threads;
  for (auto& function : functions) threads.emplace_back(function);
  for (auto& thread : threads) thread.join();
  assert(counter.with([](int value) { return value; }) == 7);
}
