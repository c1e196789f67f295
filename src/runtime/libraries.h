// Shared libraries that Ordeal has compiled: their constructors and destructors belong to each execution, as the program's own do.
//
// The loader would run the constructors before anything else, once. Our own library is needed by each of them, so it is the first to
// be initialised: there their lists of constructors are taken away (loader: none) and kept.
#pragma once

namespace ordeal::runtime {

/// Those that are needed by others first.
void run_library_constructors(int argc, char** argv, char** environment);
/// In the opposite order.
void run_library_destructors();

/// Whether the program has opened libraries with thread-local variables. Memory for them comes later than that of threads, and nobody
/// clears it for the next one with the same number.
bool has_opened_thread_locals();

}  // namespace ordeal::runtime
