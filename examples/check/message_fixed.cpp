// EXPECT: verified
//
// message_bug.cpp with a release store and an acquire load: all that came before the store is seen after the load that reads it.
//
// Ordeal says: verified, without a bound although the loop may turn for ever.
#include <atomic>
#include <cassert>
#include <thread>

int message = 0;
std::atomic<bool> sent = false;

void send() {
  message = 42;
  sent.store(true, std::memory_order_release);
}

void receive() {
  while (!sent.load(std::memory_order_acquire)) {
  }
  assert(message == 42);
}

int main() {
  std::thread sender(send);
  std::thread receiver(receive);
  sender.join();
  receiver.join();
}
