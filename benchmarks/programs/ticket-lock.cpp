// EXPECT: verified 6..
// Ticket lock (CDSSpec's driver): two threads enter and leave twice each. 6 classes at best: the four tickets are drawn
// in 4! / (2! · 2!) orders, and then everything is forced. Turns that are not recognised add some.
#include <atomic>
#include <thread>

class TicketLock {
 public:
  void lock() {
    const unsigned mine = ticket_.fetch_add(1, std::memory_order_relaxed);
    while (turn_.load(std::memory_order_acquire) != mine) std::this_thread::yield();
  }
  void unlock() {
    const unsigned turn = turn_.load(std::memory_order_relaxed);
    turn_.store(turn + 1, std::memory_order_release);
  }

 private:
  std::atomic<unsigned> ticket_ = 0, turn_ = 0;
};

TicketLock lock;

void enter_twice() {
  for (int i = 0; i < 2; ++i) {
    lock.lock();
    lock.unlock();
  }
}

int main() {
  std::thread a(enter_twice), b(enter_twice);
  a.join();
  b.join();
}
