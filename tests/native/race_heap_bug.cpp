// EXPECT: bug data-race
#include <thread>

struct Account {
  long owner = 0;
  long balance = 0;
};

int main() {
  Account* account = new Account;
  std::thread a([account] { account->balance += 10; });  // BUG
  account->balance += 20;  // BUG
  a.join();
  delete account;
}
