// The host's heap for these tests: nothing interposes on malloc here. What it gives is dirty, since malloc promises nothing.
#include "runtime/host.h"

#include <cstdlib>
#include <cstring>

namespace ordeal::runtime {

void* host_allocate(std::size_t size) {
  void* block = std::malloc(size);
  if (block != nullptr) std::memset(block, 0xA5, size);
  return block;
}
void host_free(void* block) { std::free(block); }

}  // namespace ordeal::runtime
