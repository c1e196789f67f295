// The host's heap: glibc's own, for the engine, for libc itself and for everything before the program starts.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace ordeal::runtime {

/// REQUIRES of both: any thread's storage may be in force; they switch to the engine's for the time of the call.
void* host_allocate(std::size_t size);
void host_free(void* block);

/// Makes room for one more in a host array of plain data.
template <class T>
void host_make_room(T*& array, std::uint32_t count, std::uint32_t& capacity, std::uint32_t at_first) {
  if (count < capacity) return;
  capacity = std::max(at_first, capacity * 2);
  T* larger = static_cast<T*>(host_allocate(capacity * sizeof(T)));
  if (array != nullptr) {
    std::memcpy(larger, array, count * sizeof(T));
    host_free(array);
  }
  array = larger;
}

}  // namespace ordeal::runtime
