// EXPECT: verified 2..
// CDSSpec's first test: a writer and a reader that tries once, on a queue of two.
//
// 2 classes: the reader finds nothing, or the value. Turns that are not recognised add some.
#include "mpmc_queue.h"

int main() {
  MpmcQueue<2> queue;
  std::thread writer([&] {
    queue.write_prepare();
    queue.write_publish();
  });
  std::thread reader([&] {
    if (queue.read_fetch() != nullptr) queue.read_consume();
  });
  writer.join();
  reader.join();
}
