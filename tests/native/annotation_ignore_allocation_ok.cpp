// EXPECT: verified 2
// SHOWS: races with accesses that the program asks to ignore
// To allocate and to free are writes, which the program may ask to ignore.
#include <atomic>
#include <cstdlib>
#include <thread>

extern "C" void AnnotateIgnoreWritesBegin(const char*, int);
extern "C" void AnnotateIgnoreWritesEnd(const char*, int);

std::atomic<int*> shared{nullptr};

int main() {
  std::thread a([] {
    if (int* mine = shared.load(std::memory_order_relaxed)) *mine = 1;
  });
  AnnotateIgnoreWritesBegin(__FILE__, __LINE__);
  int* memory = static_cast<int*>(std::malloc(sizeof(int)));
  AnnotateIgnoreWritesEnd(__FILE__, __LINE__);
  shared.store(memory, std::memory_order_relaxed);
  a.join();
  std::free(memory);
}
