// The runtime's own operator new and delete: the host's heap. They are hidden, so the program's are its own.
#include <cstdlib>
#include <new>

#include "runtime/host.h"

void* operator new(std::size_t size) { return ordeal::runtime::host_allocate(size); }
void* operator new[](std::size_t size) { return ordeal::runtime::host_allocate(size); }
void operator delete(void* block) noexcept { ordeal::runtime::host_free(block); }
void operator delete[](void* block) noexcept { ordeal::runtime::host_free(block); }
void operator delete(void* block, std::size_t) noexcept { ordeal::runtime::host_free(block); }
void operator delete[](void* block, std::size_t) noexcept { ordeal::runtime::host_free(block); }
