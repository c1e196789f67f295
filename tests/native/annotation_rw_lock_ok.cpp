// EXPECT: verified 1
// A writer, then a reader that has seen that it is done: the lock is ordered as its owner says, whatever it is made of.
#include <cassert>
#include <atomic>
#include <thread>

extern "C" void AnnotateRWLockAcquired(const char*, int, const volatile void*, long);
extern "C" void AnnotateRWLockReleased(const char*, int, const volatile void*, long);

int data, lock;
std::atomic<bool> done;

int main() {
  std::thread writer([] {
    AnnotateRWLockAcquired(__FILE__, __LINE__, &lock, 1);
    data = 1;
    AnnotateRWLockReleased(__FILE__, __LINE__, &lock, 1);
    done.store(true, std::memory_order_relaxed);
  });
  while (!done.load(std::memory_order_relaxed)) {
  }
  AnnotateRWLockAcquired(__FILE__, __LINE__, &lock, 0);
  assert(data == 1);
  AnnotateRWLockReleased(__FILE__, __LINE__, &lock, 0);
  writer.join();
}
