// EXPECT: verified
#include <mutex>
#include <thread>

std::mutex guard;
int counter;

void increment() {
  while (!guard.try_lock()) std::this_thread::yield();
  ++counter;
  guard.unlock();
}

int main() {
  std::thread a(increment), b(increment);
  a.join();
  b.join();
  return counter == 2 ? 0 : 1;
}
