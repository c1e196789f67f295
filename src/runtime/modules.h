// The executable and its libraries: which of them are under test, and their ranges of addresses.
#pragma once

#include <link.h>

#include <cstdint>

namespace ordeal::runtime {

/// Whether its data belongs to the program: the executable, instrumented libraries and libstdc++; not libc and ourselves.
bool is_restored_module(const dl_phdr_info& info);

/// Notes where libc, the dynamic loader, libgcc and we ourselves lie. REQUIRES: before the functions below.
void find_libc();
/// Whether the code address is inside libc or the dynamic loader.
bool is_libc(std::uintptr_t code);
/// Whether the code address is inside libgcc, whose locks are about unwinding and nobody's business.
bool is_libgcc(std::uintptr_t code);
bool is_libstdcxx(std::uintptr_t code);
/// Whether the code address is inside libordeal.so.
bool is_ours(std::uintptr_t code);

}  // namespace ordeal::runtime
