// N relaxed stores against N relaxed loads: what may be read grows all the time.
#include <atomic>
#include <thread>

#ifndef N
#define N 1'000'000
#endif

std::atomic<int> x{0};

int main() {
  std::thread writer([] {
    for (int i = 1; i <= N; ++i) x.store(i, std::memory_order_relaxed);
  });
  int last = 0;
  bool is_coherent = true;
  std::thread reader([&] {
    for (int i = 0; i < N; ++i) {
      const int read = x.load(std::memory_order_relaxed);
      is_coherent &= read >= last;
      last = read;
    }
  });
  writer.join();
  reader.join();
  return is_coherent ? 0 : 1;
}
