// EXPECT: bug signal stack overflow
#include <thread>

int depth(volatile int* from) {
  volatile int here[64];
  here[0] = *from + 1;
  return depth(here) + here[0];
}

int main() {
  std::thread a([] {
    volatile int start = 0;
    depth(&start);
  });
  a.join();
}
