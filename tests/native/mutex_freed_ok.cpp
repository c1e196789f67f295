// EXPECT: verified 2
// Who comes second frees it. Classes: either thread locks first.
#include <mutex>
#include <thread>

struct Account {
  std::mutex mutex;
  int users = 2;
};

void leave(Account* account) {
  account->mutex.lock();
  const bool is_last = --account->users == 0;
  account->mutex.unlock();
  if (is_last) delete account;
}

int main() {
  auto* account = new Account;
  std::thread other([account] { leave(account); });
  leave(account);
  other.join();
}
