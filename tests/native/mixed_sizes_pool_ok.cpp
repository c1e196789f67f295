// EXPECT: verified 6
// Memory of a pool is one sort of object, then another, then the first again, by placement new. In the first part two additions of one thread and
// one of another have 3 orders, in the last part one and one have 2.
#include <atomic>
#include <cassert>
#include <cstdint>
#include <new>
#include <thread>

struct Small {
  std::atomic<std::uint32_t> low{1};
  std::atomic<std::uint16_t> high{2};
};
struct Large {
  std::atomic<std::uint64_t> all{3};
};
alignas(8) unsigned char pool[sizeof(Small)];

int main() {
  auto* small = new (pool) Small;
  {
    std::thread a([=] { small->low.fetch_add(1), small->low.fetch_add(1); }), b([=] { small->low.fetch_add(1); });
    a.join();
    b.join();
  }
  assert(small->low.load() == 4 && small->high.load() == 2);
  small->~Small();
  auto* large = new (pool) Large;
  assert(large->all.load() == 3);
  large->all.store(~std::uint64_t{0});
  large->~Large();
  small = new (pool) Small;
  assert(small->low.load() == 1 && small->high.load() == 2);
  {
    std::thread a([=] { small->high.fetch_add(1); }), b([=] { small->high.fetch_add(1); });
    a.join();
    b.join();
  }
  assert(small->low.load() == 1 && small->high.load() == 4);
}
