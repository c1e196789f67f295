// EXPECT: verified
// std::lock gives back what it has while it waits: another thread that locks one after the other is no deadlock.
#include <mutex>
#include <thread>

std::mutex first, second;
int counter;

int main() {
  std::thread a([] {
    std::scoped_lock both(first, second);
    ++counter;
  });
  std::thread b([] {
    std::lock_guard<std::mutex> one(second);
    std::lock_guard<std::mutex> two(first);
    ++counter;
  });
  a.join();
  b.join();
  return counter == 2 ? 0 : 1;
}
