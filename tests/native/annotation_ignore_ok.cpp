// EXPECT: verified 1
// SHOWS: races with accesses that the program asks to ignore
// SHOWS: races that the program calls benign
// A counter of statistics that is not exact, and a read that is known to race: both are said to be wanted.
#include <thread>

extern "C" void AnnotateBenignRaceSized(const char*, int, const volatile void*, std::size_t, const char*);
extern "C" void AnnotateIgnoreReadsBegin(const char*, int);
extern "C" void AnnotateIgnoreReadsEnd(const char*, int);

int statistics, data;

int main() {
  AnnotateBenignRaceSized(__FILE__, __LINE__, &statistics, sizeof statistics, "not exact");
  std::thread a([] {
    ++statistics;
    data = 1;
  });
  ++statistics;
  AnnotateIgnoreReadsBegin(__FILE__, __LINE__);
  volatile int seen = data;
  AnnotateIgnoreReadsEnd(__FILE__, __LINE__);
  (void)seen;
  a.join();
}
