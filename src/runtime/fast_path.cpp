// Not part of libordeal.so: `ordeal cc` and `ordeal c++` link it into each program and each shared library (lib/ordeal/fast_path.o), where the
// compiler's calls find it instead of the library's functions of the same names. What it cannot tell goes on to those, by a jump: the
// return address is that of the program's call.
//
// All it knows of the library is PlainState. Its names are weak: a program that was linked of linked parts has one of them.
#include "runtime/fast_path.h"

extern "C" ordeal::runtime::PlainState __ordeal_plain_state;

#define ORDEAL_FAST extern "C" __attribute__((visibility("hidden"), weak))

#define ORDEAL_FAST_PLAIN(NAME, SIZE, IS_WRITE)                                                                                                    \
  extern "C" void __ordeal_##NAME(void* address);                                                                                                  \
  ORDEAL_FAST void __tsan_##NAME(void* address) {                                                                                                  \
    if (ordeal::runtime::has_plain(__ordeal_plain_state, reinterpret_cast<std::uintptr_t>(address), SIZE, IS_WRITE)) [[likely]] return;            \
    __ordeal_##NAME(address);                                                                                                                      \
  }
ORDEAL_FAST_PLAIN(read1, 1, false)
ORDEAL_FAST_PLAIN(read2, 2, false)
ORDEAL_FAST_PLAIN(read4, 4, false)
ORDEAL_FAST_PLAIN(read8, 8, false)
ORDEAL_FAST_PLAIN(write1, 1, true)
ORDEAL_FAST_PLAIN(write2, 2, true)
ORDEAL_FAST_PLAIN(write4, 4, true)
ORDEAL_FAST_PLAIN(write8, 8, true)

// What is known of functions is for the exhaustive search.
extern "C" void __ordeal_func_entry(void* caller);
ORDEAL_FAST void __tsan_func_entry(void* caller) {
  if (!__ordeal_plain_state.is_noted) __ordeal_func_entry(caller);
}
extern "C" void __ordeal_func_exit();
ORDEAL_FAST void __tsan_func_exit() {
  if (!__ordeal_plain_state.is_noted) __ordeal_func_exit();
}
