// EXPECT: verified
// LEVELS: O0 O1 O2 O3
// Two threads lock their own mutex and try the other's; the one that fails gives its own back and starts again. Turns in which a try fails can be left out
// (ADR 9): what they may have caused, that the other's try fails, is offered to it as a choice. No thread waits forever: each gives its mutex back in
// each turn, so the other will find it free. (With both turns in vain at the same time, at a level at which the compiler begins the loop with the try, this
// was reported as "no progress".)
#include <cassert>
#include <mutex>
#include <thread>

std::mutex first, second;
int counter;

void lock_both(std::mutex& own, std::mutex& other) {
  for (;;) {
    own.lock();
    if (other.try_lock()) break;
    own.unlock();
  }
  ++counter;
  other.unlock();
  own.unlock();
}

int main() {
  std::thread a([] { lock_both(first, second); }), b([] { lock_both(second, first); });
  a.join();
  b.join();
  assert(counter == 2);
}
