// EXPECT: bug data-race
//
// One thread writes a message and raises a flag, another waits for the flag and reads the message. A relaxed flag orders nothing:
// the receiver may see the flag and still the old message. On x86 this never fails in practice; on ARM it does, and on either the
// compiler may exchange the two stores.
//
// Ordeal says: data race on 'message'. The waiting loop needs no bound.
#include <atomic>
#include <cassert>
#include <thread>

int message = 0;
std::atomic<bool> sent = false;

void send() {
  message = 42;
  sent.store(true, std::memory_order_relaxed);
}

void receive() {
  while (!sent.load(std::memory_order_relaxed)) {
  }
  assert(message == 42);
}

int main() {
  std::thread sender(send);
  std::thread receiver(receive);
  sender.join();
  receiver.join();
}
