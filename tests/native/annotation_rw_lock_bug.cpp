// EXPECT: bug data-race data
// Two threads that hold a lock for reading are not ordered by it, whichever comes first; one of them writes.
#include <thread>

extern "C" void AnnotateRWLockAcquired(const char*, int, const volatile void*, long);
extern "C" void AnnotateRWLockReleased(const char*, int, const volatile void*, long);

int data, lock;

void write_while_reading() {
  AnnotateRWLockAcquired(__FILE__, __LINE__, &lock, 0);
  data = 1;  // BUG
  AnnotateRWLockReleased(__FILE__, __LINE__, &lock, 0);
}

int main() {
  std::thread a(write_while_reading), b(write_while_reading);
  a.join();
  b.join();
}
