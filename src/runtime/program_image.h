// The program as it was loaded: its constructors, main, and finalizers, which run anew in each execution.
#pragma once

#include <cstdint>
#include <string>

namespace ordeal::runtime {

using Main = int (*)(int, char**, char**);

/// Notes what __libc_start_main was given.
void set_program_image(Main main, int argc, char** argv, char** environment);
/// Thread 0's part: constructors, main, exit. The argument is not used.
void run_program(void*);
/// The executable's finalizers.
void run_finalizers();
/// Ends the process for the running thread: handlers, then nothing more.
[[noreturn]] void end_process(int code, std::uintptr_t site);  // 0: main has returned
/// The same without any handler: _exit.
[[noreturn]] void leave_process(int code, std::uintptr_t site);
void run_exit_handlers(int code);
/// std::terminate of the program's C++ library comes to us. REQUIRES: before the snapshot.
void catch_terminate();

/// Outside of executions.
[[noreturn]] void signal_default_abort();
void write_error(const std::string& message);

}  // namespace ordeal::runtime
