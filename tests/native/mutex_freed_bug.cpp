// EXPECT: bug data-race|use-after-free
// The owner does not wait until the other thread is done with the mutex.
#include <mutex>
#include <thread>

struct Account {
  std::mutex mutex;
  int balance = 0;
};

int main() {
  auto* account = new Account;
  std::thread other([account] {
    account->mutex.lock();    // BUG
    account->mutex.unlock();  // BUG
  });
  delete account;  // BUG
  other.join();
}
