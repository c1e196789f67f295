// EXPECT: bug data-race first
// OPTIONS: --symmetry
// SHOWS: note: no use of symmetry: main accesses what they access before it has joined all of them
// Main reads what the first to come wrote when it has joined one of the threads: a race only if the first to come was the other.
#include <atomic>
#include <thread>

std::atomic<int> counter;
int first;

void run() {
  if (counter.fetch_add(1) == 0) first = 1;  // BUG
}

int main() {
  std::thread a(run), b(run);
  a.join();
  const int seen = first;  // BUG
  b.join();
  return seen - 1;
}
