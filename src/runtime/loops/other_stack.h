// A call that uses nothing of the program's stack.
#pragma once

/// Calls `function` on another stack, which ends at `end`, a multiple of 16. (speculation.cpp)
extern "C" __attribute__((visibility("hidden"))) void ordeal_call_on_stack(void (*function)(), void* end);
