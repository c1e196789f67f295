// EXPECT: verified
// Two threads wait for the same object, and each change is notified to one of them; a third may not have blocked at all.
#include <atomic>
#include <thread>

std::atomic<int> tokens;

void take() {
  int now = tokens.load();
  do {
    while (now == 0) {
      tokens.wait(0);
      now = tokens.load();
    }
  } while (!tokens.compare_exchange_strong(now, now - 1));
}

void give() {
  tokens.fetch_add(1);
  tokens.notify_one();
}

int main() {
  std::thread a(take), b(take);
  give();
  give();
  a.join();
  b.join();
}
