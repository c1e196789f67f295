// The host's heap: glibc's own, for the engine, for libc itself and for everything before the program starts.
#pragma once

#include <cstddef>

namespace ordeal::runtime {

/// REQUIRES of both: any thread's storage may be in force; they switch to the engine's for the time of the call.
void* host_allocate(std::size_t size);
void host_free(void* block);

}  // namespace ordeal::runtime
