// EXPECT: verified
//
// deadlock_bug.cpp with one order for all: whichever way the money goes, the mutex with the lower address is taken first.
// (std::scoped_lock with both mutexes is right too, but it tries and backs off in a loop that has no end to explore.)
//
// Ordeal says: verified.
#include <functional>
#include <mutex>
#include <thread>

struct Account {
  std::mutex mutex;
  int money = 100;
};
Account a, b;

void transfer(Account& from, Account& to, int amount) {
  bool in_order = std::less<Account*>()(&from, &to);
  std::lock_guard hold_first(in_order ? from.mutex : to.mutex);
  std::lock_guard hold_second(in_order ? to.mutex : from.mutex);
  from.money -= amount;
  to.money += amount;
}

int main() {
  std::thread first([] { transfer(a, b, 10); });
  std::thread second([] { transfer(b, a, 20); });
  first.join();
  second.join();
}
