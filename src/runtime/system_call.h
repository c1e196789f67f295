// What calls of the system have in common that the program makes through us: intercept_files.cpp, intercept_waiting.cpp.
#pragma once

#include <cstddef>
#include <cstdint>

#include "runtime/abi.h"
#include "runtime/access.h"
#include "runtime/arrived_signals.h"

namespace ordeal::runtime {

/// The arguments of a call, as many as it has: they are all in registers.
struct Arguments {
  long at[6];
};
using Function = long (*)(long, long, long, long, long, long);

/// Makes what the arguments may point to writable.
void unprotect(const Arguments& arguments);
/// The call, which is made again where it must be. `has_failed` tells from the result.
long call_until_done(Function real, const Arguments& arguments, bool (*has_failed)(long));
/// What a signal does to the call that is made: those that wait for several files do not start again.
extern ArrivedSignals::Call interrupted_call;
Function real_function(const char* name);

inline bool is_negative(long result) { return static_cast<int>(result) == -1; }
inline bool is_null(long result) { return result == 0; }

/// The call has filled so many bytes of the buffer, or taken them from it.
void note_filled(long buffer, long size, std::uintptr_t site);
void note_taken(long buffer, long size, std::uintptr_t site);
inline void note_nothing(long, long, std::uintptr_t) {}
using Note = void (*)(long buffer, long size, std::uintptr_t site);

long intercept(const char* name, Function& real, const Arguments& arguments, std::uintptr_t site, Note note, bool (*has_failed)(long));

}  // namespace ordeal::runtime
