// EXPECT: bounded
// OPTIONS: --time 2
// Each turn makes what it wants to hand over.
#include <atomic>
#include <memory>
#include <thread>

std::atomic<int*> slot;

bool try_put(std::unique_ptr<int> number) {
  int* expected = nullptr;
  if (!slot.compare_exchange_strong(expected, number.get())) return false;
  number.release();
  return true;
}

int main() {
  std::thread taker([] {
    for (int i = 0; i < 2; ++i) {
      int* taken;
      while ((taken = slot.exchange(nullptr)) == nullptr) {
      }
      delete taken;
    }
  });
  for (int i = 0; i < 2; ++i)
    while (!try_put(std::make_unique<int>(i))) {
    }
  taker.join();
}
