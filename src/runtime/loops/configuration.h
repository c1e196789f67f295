// When two configurations of a thread are the same: its next operation, the registers that are still read (liveness.h), its stack byte by
// byte but for atomic objects, what it has written elsewhere, the locks that it holds, its clock.
#pragma once

#include <cstdint>

#include "runtime/digest.h"
#include "runtime/thread.h"

namespace ordeal::runtime {

/// Whether the registers that matter are the same. REQUIRES: both stand at the same call.
bool has_same_registers(const Step& one, const Step& other);
/// Whether the thread, which is at `now`, is in the configuration of its step `then` again. Its clock may have moved on: then times may have, too.
bool is_same_configuration(const Thread& thread, const Step& then, const Step& now);

/// What a byte outside the stack held when the thread was at its step `then`, as far as the thread itself has changed it since.
unsigned char byte_at(const Thread& thread, const Step& then, std::uintptr_t address);
/// Whether what the thread has written since holds its old value again.
bool is_same_memory(const LoopTrace& trace, const Step& then);

/// Clears what the memory of atomic objects holds in a copy of the thread's stack from `begin` on: others change it at any time.
void mask_atomics(const Thread& thread, std::uintptr_t begin, StackCopy& copy);

/// Clears what does not matter in the copies of the stack: bytes that the innermost function writes before it reads them (stack_liveness.h).
void clear_dead(const Step& step);
/// Whether the stacks are the same, but for that. REQUIRES: both stand at the same call.
bool has_same_stack(const Step& one, const Step& other);

/// Whether this is memory that we may look at; other memory is left to the program.
bool is_sure_to_be_there(const Thread& thread, std::uintptr_t address);

/// See liveness.h.
std::uint8_t live_registers(std::uintptr_t site);
bool is_result_used(std::uintptr_t site);
/// The configuration of a step, but for memory elsewhere than on the stack.
Digest digest_of(const Thread& thread, const Step& step);

}  // namespace ordeal::runtime
