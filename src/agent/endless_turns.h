// Threads that take something and give it back (runtime/loops/given_back.h) are stopped after a turn in which they found too little. They do not count as waiting: their
// turns change memory. But if nobody else goes on, and nobody has changed the object since, they would go round for ever. Nothing is wrong with that execution, and so it must not
// be passed over: the turns of the object are kept from then on, and the search sees that it does not end.
//
// **Why none is missed.** Take an execution that does not end, in which every thread that goes on makes only such turns from some point on, or waits. Cut it there, and leave out all that is
// redundant before. The search visits that, and from there each of these threads makes a turn more, one after the other, in which it reads what was written last, and is stopped. After what
// it has read there are only turns of others for which these were stopped, too; so what such turns write is no change.
#pragma once

#include <cstdint>
#include <vector>

#include "model/execution_graph.h"
#include "runtime/native_program.h"

namespace ordeal::agent {

/// The objects of threads that go round for ever, if in this execution nobody can do anything but wait, or make such turns. (Who was stopped for another reason goes on in another execution.)
std::vector<std::uintptr_t> objects_of_endless_turns(runtime::NativeProgram& program, const model::ExecutionGraph& graph);

}  // namespace ordeal::agent
