// EXPECT: verified 1
// OPTIONS: --leaks
// FLAGS: -fsized-deallocation
// What fits: each way to allocate, with its way to free.
#include <cassert>
#include <cstdint>
#include <cstdlib>
#include <malloc.h>
#include <memory>
#include <memory_resource>
#include <new>
#include <string>
#include <vector>

struct alignas(64) Aligned {
  char bytes[100];
};
struct WithDestructor {
  std::string text{std::string(100, 'x')};
};

bool is_aligned(const void* block, std::size_t alignment) { return reinterpret_cast<std::uintptr_t>(block) % alignment == 0; }

int main() {
  delete new int;
  delete[] new int[3];
  delete[] new char[0];
  delete new WithDestructor;
  delete[] new WithDestructor[3];
  Aligned* aligned = new Aligned;
  assert(is_aligned(aligned, 64));
  delete aligned;
  delete[] new Aligned[2];
  operator delete(operator new(5, std::nothrow), std::nothrow);
  operator delete[](operator new[](5, std::nothrow), std::nothrow);
  operator delete(operator new(32, std::align_val_t{32}), 32, std::align_val_t{32});
  operator delete[](operator new[](32, std::align_val_t{32}, std::nothrow), std::align_val_t{32}, std::nothrow);
  std::vector<Aligned> vector(3);
  vector.resize(10);
  std::shared_ptr<void> erased = std::make_shared<WithDestructor>();
  std::pmr::monotonic_buffer_resource buffer;
  std::pmr::vector<int> pooled(100, &buffer);
  void* block = nullptr;
  assert(posix_memalign(&block, 256, 10) == 0 && is_aligned(block, 256));
  std::free(block);
  assert(posix_memalign(&block, 3, 10) != 0);
  for (void* each : {std::aligned_alloc(128, 256), memalign(128, 7), valloc(10), pvalloc(10), std::calloc(3, 4), std::realloc(nullptr, 8)}) {
    assert(malloc_usable_size(each) >= 7);
    std::free(each);
  }
  block = std::realloc(std::malloc(4), 100);
  assert(std::realloc(block, 0) == nullptr);
  std::free(nullptr);
  delete static_cast<int*>(nullptr);
  alignas(int) unsigned char place[sizeof(int)];
  assert(*new (place) int(7) == 7);
}
