// Stacks that other threads use: a variable of a function is there until the function returns, that of a thread until it ends.
//
// As far as the instrumentation shows it: who accesses a stack below the innermost function of its thread comes too late; and when a
// function returns whose part of the stack was lent, that is noted as if it were freed, so that accesses before and behind it that
// nothing orders are races. Memory that another function has got since is not told from the old.
#pragma once

#include <cstddef>
#include <cstdint>

#include "runtime/thread.h"

namespace ordeal::runtime {

/// The running thread is about to access the stack of some thread. REQUIRES: is_stack(address).
void check_stack(std::uintptr_t address, std::size_t size, bool is_write, std::uintptr_t site);
/// The running thread's function returns. Its part of the stack goes up to `end`; 0: unknown, but `site` is in it. REQUIRES: the thread
/// lends some of its stack.
void note_frame_given_back(Thread& thread, std::uintptr_t end, std::uintptr_t site);
/// The running thread ends.
void note_stack_given_back();

}  // namespace ordeal::runtime
