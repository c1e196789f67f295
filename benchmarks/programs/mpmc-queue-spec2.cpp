// EXPECT: verified 2..
// CDSSpec's second test: the queue of two is full at first; a writer and a reader try once.
//
// 2 classes: the writer finds it full, or comes after the reader. Turns that are not recognised add some.
#include "mpmc_queue.h"

int main() {
  MpmcQueue<2> queue;
  for (int i = 0; i < 2; ++i) {
    queue.write_prepare();
    queue.write_publish();
  }
  std::thread writer([&] {
    if (queue.write_prepare() != nullptr) queue.write_publish();
  });
  std::thread reader([&] {
    if (queue.read_fetch() != nullptr) queue.read_consume();
  });
  writer.join();
  reader.join();
}
