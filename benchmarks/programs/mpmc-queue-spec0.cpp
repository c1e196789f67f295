// EXPECT: verified 30..
// EXPECT (O2): verified 30..70
// CDSSpec's main driver: as mpmc-queue-noinit, on a larger queue and without the slots.
//
// 30 classes at best, by brute force (README.md): a compare-exchange that fails goes on with what the load before it might have read,
// acquiring no less, and one that fails without reason changes nothing. 70 with the failures of readers that find the queue empty then
// and give up ("mpmc-queue-noinit, last failures"), which need not be recognised. 424 with all that find another value
// ("mpmc-queue-noinit, failures").
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
