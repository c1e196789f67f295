// Symmetric threads (model/symmetry.h) in the same state ask for the same, but for what is each one's own: addresses of its
// stack, its number … Only the program knows what that is.
#pragma once

#include "model/event.h"

namespace ordeal::engine {

class Counterparts {
 public:
  /// Whether the two, of different threads, are the same but for that.
  virtual bool are_counterparts(const model::Access& a, const model::Access& b) const = 0;

 protected:
  ~Counterparts() = default;
};

}  // namespace ordeal::engine
