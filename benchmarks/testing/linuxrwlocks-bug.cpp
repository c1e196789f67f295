// Who did not get the lock at once takes it by a relaxed operation later, and need not see what the one before did.
#include "../programs/linuxrwlocks.h"

LinuxRwLock<std::memory_order_acquire, std::memory_order_relaxed, std::memory_order_relaxed> lock;
int shared;

void read_then_write() {
  lock.read_lock();
  const int value = shared;
  asm volatile("" ::"r"(value));
  lock.read_unlock();

  lock.write_lock();
  std::this_thread::yield();
  shared = 1;
  lock.write_unlock();
}

int main() {
  std::thread first(read_then_write), second(read_then_write);
  first.join();
  second.join();
}
