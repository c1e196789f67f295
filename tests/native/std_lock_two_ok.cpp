// EXPECT: verified
// As scoped_lock_two_ok with std::lock, and with spurious failures of try_lock.
#include <cassert>
#include <mutex>
#include <thread>

std::mutex first, second;
int counter;

void increment(std::mutex& m, std::mutex& n) {
  std::lock(m, n);
  std::lock_guard<std::mutex> one(m, std::adopt_lock), two(n, std::adopt_lock);
  ++counter;
}

int main() {
  std::thread a(increment, std::ref(first), std::ref(second));
  std::thread b(increment, std::ref(second), std::ref(first));
  a.join();
  b.join();
  assert(counter == 2);
}
