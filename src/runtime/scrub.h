// What calls of the runtime leave on the program's stack is cleared: it would turn up in variables that are not initialised, and make
// configurations differ.
#pragma once

namespace ordeal::runtime {

/// Clears what is below the frame of its caller.
__attribute__((noinline)) void scrub_stack();
/// The same after a plain access: what it leaves there is little, but counts events.
__attribute__((noinline)) void scrub_after_plain_access();
/// The same after calls that need more of it.
__attribute__((noinline)) void scrub_stack_deep();
constexpr unsigned kDeepScrub = 16384;

}  // namespace ordeal::runtime
