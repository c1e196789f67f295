// A thread was stopped because its turn of a loop was in vain: what else its last reads could have given, and where that would lead.
#pragma once

#include <vector>

#include "model/event.h"

namespace ordeal::engine {

struct StoppedTurn {
  /// Of one of the thread's last events, which are reads: values with which the thread may go on from there. With all others that the location was seen to hold
  /// it would be stopped, too, without an effect and before an operation that may wait, whatever it reads after that. They are those of model::SeenWrites, which knows that somebody relies on it.
  struct Read {
    bool is_known = false;  // otherwise nobody knows
    std::vector<model::Value> useful{};
  };
  /// The reads of the turn, the last one first.
  std::vector<const Read*> reads;
};

}  // namespace ordeal::engine
