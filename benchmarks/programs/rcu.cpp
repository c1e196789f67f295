// EXPECT: verified 12
// Read-copy-update (CDSSpec's driver): two writers, each of which adds to a copy and publishes it, and a reader.
// 12 classes. Either writer comes first; the other has read its copy at once, or has tried with the old data before, in vain: 2 · 2.
// Such a turn has stored to its copy and is kept. The reader reads the first data or one of the two copies: times 3. A copy is published
// with release and read with acquire, so what is read in it is forced.
#include <atomic>
#include <cassert>
#include <cstdlib>
#include <thread>

struct Data {
  std::atomic<int> one, two;
};

std::atomic<Data*> current;

void read_data() {
  const Data* data = current.load(std::memory_order_acquire);
  (void)data->one.load(std::memory_order_relaxed);
  (void)data->two.load(std::memory_order_relaxed);
}

void write_data(int one, int two) {
  Data* copy = static_cast<Data*>(std::malloc(sizeof(Data)));  // not initialised
  Data* old;
  do {
    old = current.load(std::memory_order_acquire);
    copy->one.store(old->one.load(std::memory_order_relaxed) + one, std::memory_order_relaxed);
    copy->two.store(old->two.load(std::memory_order_relaxed) + two, std::memory_order_relaxed);
  } while (!current.compare_exchange_strong(old, copy, std::memory_order_release, std::memory_order_relaxed));
}

int main() {
  Data first;
  first.one = 0;
  first.two = 0;
  current.store(&first, std::memory_order_relaxed);
  std::thread a(write_data, 1, 0), b(write_data, 0, 2), reader(read_data);
  a.join();
  b.join();
  reader.join();
  const Data* last = current.load();
  assert(last->one == 1 && last->two == 2);
}
