// A program explored to its end: what was counted, and which classes came.
#pragma once

#include <set>
#include <string>

#include "engine/session.h"
#include "explore/exhaustive.h"
#include "explore/uniqueness.h"

namespace ordeal::tests {

struct Exploration {
  engine::Counts counts;
  std::set<std::string> classes;  // keys
  std::uint64_t repeated = 0;     // classes that came again
};

inline Exploration explore_all(engine::Program& program, model::Model model, engine::Observer* observer = nullptr,
                               const model::UselessValues* useless = nullptr, bool with_symmetry = false,
                               const engine::Contested* contested = nullptr, int rotation = 0, bool leaves_dead_ends = true,
                               model::SeenWrites* seen = nullptr) {
  explore::Exhaustive exhaustive(model);
  if (with_symmetry) exhaustive.set_symmetry();
  exhaustive.set_leaves_dead_ends(leaves_dead_ends);
  exhaustive.set_seen_writes(seen);
  exhaustive.consistency().set_useless_values(useless);
  explore::Uniqueness uniqueness;
  engine::Session session(program, exhaustive);
  if (contested != nullptr) session.postpone(*contested);
  session.rotate(rotation);
  session.add(uniqueness);
  if (observer != nullptr) session.add(*observer);
  Exploration result;
  result.counts = session.run();
  result.classes.insert(uniqueness.keys().begin(), uniqueness.keys().end());
  result.repeated = uniqueness.repeated();
  return result;
}

}  // namespace ordeal::tests
