// EXPECT: bug data-race data
// A read that is ignored hides no other: behind the end of the annotation, accesses count again.
#include <thread>

extern "C" void AnnotateIgnoreReadsBegin(const char*, int);
extern "C" void AnnotateIgnoreReadsEnd(const char*, int);

int data;

int main() {
  std::thread a([] { data = 1; });  // BUG
  AnnotateIgnoreReadsBegin(__FILE__, __LINE__);
  volatile int seen = data;
  AnnotateIgnoreReadsEnd(__FILE__, __LINE__);
  seen = data;  // BUG
  (void)seen;
  a.join();
}
