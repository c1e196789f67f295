// An execution of a native program as a trace: addresses and stacks, which the command turns into names and lines.
#pragma once

#include <string>
#include <vector>

#include "engine/observer.h"
#include "runtime/native_program.h"
#include "trace/run_result.h"

namespace ordeal::agent {

/// REQUIRES: the program has just run this execution, while recording.
trace::Trace native_trace(runtime::NativeProgram& program, const engine::Execution& execution, std::string model);
/// Adds what the address lies in, if anything: a heap block, thread-local storage, or the frame that was there when stack
/// `moment` was kept.
void add_object(trace::Trace& trace, std::uintptr_t address, std::uint32_t moment);
/// The block of the heap that somebody has probably meant.
void add_nearest_block(trace::Trace& trace, std::uintptr_t address);

/// What a thread that cannot go on waits for, in words, with {} for the name of it (trace::Party); empty: it does not wait.
/// `name_of`: of threads.
std::string thread_name(int thread);
std::string describe_wait(runtime::NativeProgram& program, int thread, const engine::Operation& operation, std::string (*name_of)(int) = &thread_name);
/// Likewise, of one whom no notification of an atomic object reaches.
std::string describe_lost(bool is_passed_over);
std::uintptr_t address_of(runtime::NativeProgram& program, const engine::Operation& operation);

/// The executable and its libraries.
std::vector<trace::Module> modules();

}  // namespace ordeal::agent
