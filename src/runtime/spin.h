// Waiting loops (memory-model.md, section 6): a thread that comes back to the same place in the same state, without having
// changed anything, can only be helped by another thread. It is stopped there for the rest of the execution.
//
// The state is the callee-saved registers and the stack from the caller's stack pointer upwards, byte for byte; "nothing
// changed" is a count of *effects*: writes outside the own stack, RMWs that change a value, allocations, sync operations,
// choices other than what is read. One earlier state, the *anchor*, is kept for each thread and compared at each operation
// that reads; it is moved after 1, 2, 4 … of them (Brent's cycle detection), so a loop with several reads is found too.
//
// The registers are saved by the entry points' assembler stubs (entry.h): in C++ they may have been used already.
#pragma once

#include <cstdint>

#include "runtime/entry.h"
#include "runtime/thread.h"

namespace ordeal::runtime {

/// To be called first by an entry point that reads. Stops the thread if it only waits.
void check_for_waiting_loop(Thread& thread, std::uintptr_t site);

/// The thread did something that matters.
inline void note_effect(Thread& thread) { ++thread.spin.effects; }

}  // namespace ordeal::runtime
