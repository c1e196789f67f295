// Faults: the first write to a protected page (snapshot.h), and the program's own: null pointers, division by zero, stack
// overflow … The handler has a stack of its own and leaves for the engine, which goes on with the search.
#pragma once

namespace ordeal::runtime {

void install_fault_handlers();
/// Puts the system's handlers back: what comes now is our own fault.
void remove_fault_handlers();

}  // namespace ordeal::runtime
