// EXPECT: verified 424..
// CDSSpec's main driver: as mpmc-queue-noinit, on a larger queue and without the slots.
//
// 424 classes: by brute force (README.md). Turns that are not recognised add some.
#include "mpmc_queue.h"

int main() {
  MpmcQueue<16> queue;
  auto write_then_read = [&] {
    queue.write_prepare();
    queue.write_publish();
    while (queue.read_fetch() != nullptr) queue.read_consume();
  };
  std::thread first(write_then_read), second(write_then_read);
  first.join();
  second.join();
}
