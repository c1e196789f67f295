// EXPECT: bug data-race message
// That one thread has let go of an exception does not order anything for another that does so, if a third still holds it.
#include <atomic>
#include <exception>
#include <thread>

int message;
std::atomic<bool> sent;

int main() {
  const std::exception_ptr failure = std::make_exception_ptr(1);
  std::thread sender([own = failure]() mutable {
    message = 1;  // BUG
    own = nullptr;
    sent.store(true, std::memory_order_relaxed);
  });
  std::thread receiver([own = failure]() mutable {
    if (!sent.load(std::memory_order_relaxed)) return;
    own = nullptr;
    message = 2;  // BUG
  });
  sender.join();
  receiver.join();
}
