// EXPECT: bounded --max-events
// OPTIONS: --max-events 40
// Each turn of the first thread ends as it began, but in between others see what it wrote: the second thread needs two of
// them. Who takes the first thread for waiting reports that the second one makes no progress.
#include <atomic>
#include <mutex>
#include <thread>

std::mutex mutex;
int step;
std::atomic<bool> done;

void set(int value) {
  std::lock_guard lock(mutex);
  step = value;
}
int get() {
  std::lock_guard lock(mutex);
  return step;
}

int main() {
  std::thread counter([] {
    for (int i = 0; i < 2; ++i) {
      while (get() != 1) {
      }
      while (get() != 0) {
      }
    }
    done.store(true);
  });
  while (!done.load()) {
    set(1);
    set(0);
  }
  counter.join();
}
