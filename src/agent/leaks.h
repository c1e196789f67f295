// Leaks: blocks that nobody has freed when the program ends, and to which no pointer leads: not from variables (also
// thread-local ones), not from the stacks of threads that still run, not from other blocks that are reachable. As in
// LeakSanitizer, any aligned word is taken for a pointer, also into the middle of a block.
//
// What an atomic object holds in the end is a question of modification order: each last write that is possible is tried.
// Cost: a look at all memory that the program has written, an execution.
#pragma once

#include <vector>

#include "engine/observer.h"
#include "model/consistency.h"
#include "runtime/heap.h"
#include "runtime/native_program.h"

namespace ordeal::agent {

struct Leak {
  runtime::Block block;
  std::size_t others = 0;  // lost blocks that only this one leads to
};

/// Of an execution that has just ended, for the first final memory that has any.
std::vector<Leak> find_leaks(runtime::NativeProgram& program, const engine::Execution& execution,
                             model::Consistency& consistency);

}  // namespace ordeal::agent
