// What a thread keeps to say of a turn that is explored what kept it (kept_turns.h).
#pragma once

#include <cstdint>

#include "trace/kept_turn.h"

namespace ordeal::runtime {

struct Thread;

/// Where an operation is called, with the innermost functions that are active there.
struct CodePlace {
  static constexpr int kMostCallers = 6;
  std::uintptr_t site = 0;
  int callers_count = 0;
  std::uintptr_t callers[kMostCallers] = {};  // where they return to
};

struct KeptTrace {
  /// An operation that the thread came to.
  struct Visit {
    std::uint32_t name = 0;       // of its place; 0: none
    std::uint32_t operation = 0;  // its number
    std::uint32_t effects = 0;    // of TracePosition, before it
    std::uint32_t locks = 0;      // likewise
  };
  /// A turn that may still turn out to be redundant.
  struct Open {
    std::uint32_t turn = 0;       // of KeptTurns
    std::uint32_t operation = 0;  // where it ended
  };
  static constexpr std::uint32_t kSets = 8, kWays = 4;
  static constexpr int kMostOpen = 8;  // more are not followed

  KeptTrace() = default;
  KeptTrace(const KeptTrace& other) { *this = other; }
  /// Copies what is in use: it is done for each milestone.
  KeptTrace& operator=(const KeptTrace& other);

  std::uint32_t sets_in_use = 0;  // of `visits`, a bit each
  Visit visits[kSets][kWays];     // by a part of the name; the oldest in a set is replaced
  Open open[kMostOpen];
  int open_count = 0;
  trace::KeptBy effect = trace::KeptBy::kSystem;  // the last one, and where it was made
  CodePlace effect_at;
};

/// The thread has an effect. `site`: 0 if that is not known.
void remember_effect(Thread& thread, trace::KeptBy what, std::uintptr_t site);

}  // namespace ordeal::runtime
