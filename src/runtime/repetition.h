// Random testing: whether threads that change nothing come back to the same state, or count.
//
// A loop that only loads may wait for ever, or read a variable a million times and end. The first comes back to where it was, with the same
// registers and the same stack (entry.h, loops/README.md), and memory elsewhere, that it has written plainly, as it was: then nothing will ever be
// different. The second counts. So does a loop that waits and counts how often; it is given more time (testing.h).
//
// Of each thread one state is kept, and replaced after 1, 2, 4 … visits (Brent): loops with several loads are found, too. What code
// that is not instrumented has written is not seen.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "runtime/thread.h"

namespace ordeal::runtime {

class Repetition {
 public:
  /// Nothing has changed for a while: from here on states are looked at.
  static void begin();
  /// The running thread has come to an operation.
  static void look_at(const Thread& thread);
  /// The running thread is about to write there.
  static void note_write(const Thread& thread, std::uintptr_t address, std::size_t size);
  /// Whether each of them has come back to a state.
  static bool is_of_all(std::span<const int> threads);
};

}  // namespace ordeal::runtime
