// EXPECT: bug deadlock
//
// Money goes from one account to another, and each account has a mutex. Two transfers in opposite directions take the mutexes in
// opposite orders: each can hold one and wait for the other, for ever.
//
// Ordeal says: deadlock, with what each thread holds and waits for.
#include <mutex>
#include <thread>

struct Account {
  std::mutex mutex;
  int money = 100;
};
Account a, b;

void transfer(Account& from, Account& to, int amount) {
  std::lock_guard hold_from(from.mutex);
  std::lock_guard hold_to(to.mutex);
  from.money -= amount;
  to.money += amount;
}

int main() {
  std::thread first([] { transfer(a, b, 10); });
  std::thread second([] { transfer(b, a, 20); });
  first.join();
  second.join();
}
