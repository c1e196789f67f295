// EXPECT: verified 1296
// SHOWS: main joins all its threads 4 times
// SHOWS: ordeal_choose(4)
// Four rounds that have nothing to do with each other. Two threads that increment twice: the order of four increments in which
// each thread's own two keep theirs, (4 choose 2) = 6 classes; together 6^4 = 1,296.
#include <atomic>
#include <thread>

void round() {
  std::atomic<int> x{0};
  const auto add_twice = [&] {
    x.fetch_add(1, std::memory_order_relaxed);
    x.fetch_add(1, std::memory_order_relaxed);
  };
  std::thread a(add_twice), b(add_twice);
  a.join();
  b.join();
}

int main() {
  for (int i = 0; i < 4; ++i) round();
}
