// What a decider decides: one choice for each event, in names that do not depend on the interleaving.
//
// The list of choices of an execution, in insertion order, is the *unit of work*: replay, resuming a search and other
// workers use exactly that list.
#pragma once

#include <cstdint>
#include <vector>

#include "model/event.h"

namespace ordeal::engine {

enum class ChoiceKind : std::uint8_t {
  kStep,             // nothing to choose: a store, a fence …
  kReadsFrom,        // `thread`, `index` of the write; an initial write has thread -1
  kMoPosition,       // `index` among the location's writes, from 1 (models with explicit mo)
  kValue,            // `value`
  kSpuriousFailure,  // like kReadsFrom, and the compare-exchange fails
  kTimeout,          // the waits of the runtime: reserved numbers, so that files stay readable
  kWokenWaiter,      // like kReadsFrom, and a notify clears bit `value`
  kSpuriousWakeUp,
  kPromise,          // a value that `thread` promises to write
};

struct Choice {
  model::ThreadId of{-1};  // whose step this is
  ChoiceKind kind = ChoiceKind::kStep;
  model::ThreadId thread{-1};
  std::int32_t index = 0;
  model::Value value = 0;
  bool operator==(const Choice&) const = default;
};

using UnitOfWork = std::vector<Choice>;

}  // namespace ordeal::engine
