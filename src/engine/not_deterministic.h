// A program that does not do again what it did before: it depends on more than the results it got (a clock, an address, a file
// that it changed …). Nothing can be said about it. Thrown by the follower, past the main loop.
#pragma once

#include <stdexcept>

#include "engine/operation.h"

namespace ordeal::engine {

struct NotDeterministic : std::runtime_error {
  NotDeterministic(const Access& before, const Operation& now)
      : std::runtime_error("not deterministic"), before(before), now(now) {}

  Access before;        // what the thread did
  Operation now;        // what it wants to do instead
  bool differs_at_first = false;  // the operation is the same, but not what its location held at first
  Value value_before = 0, value_now = 0;
};

}  // namespace ordeal::engine
