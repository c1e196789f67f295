// EXPECT: verified 3
// A reader with a shared_lock that it locks, tries and moves, and a writer. The two read locks of the reader: the writer comes before, between
// or behind them.
#include <cassert>
#include <mutex>
#include <shared_mutex>
#include <thread>
#include <utility>

std::shared_mutex guard;
int data;

int main() {
  std::thread a([] {
    guard.lock();
    ++data;
    guard.unlock();
  });
  std::shared_lock<std::shared_mutex> first(guard, std::defer_lock);
  assert(!first.owns_lock() && first.mutex() == &guard);
  first.lock();
  assert(data == 0 || data == 1);
  std::shared_lock<std::shared_mutex> second(std::move(first));
  assert(second && !first);
  second.unlock();
  guard.lock_shared();
  std::shared_lock<std::shared_mutex> third(guard, std::adopt_lock);
  assert(data == 0 || data == 1);
  second.swap(third);
  assert(second.owns_lock());
  second.release()->unlock_shared();
  a.join();
}
