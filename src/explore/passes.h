// Executions in which a weak compare-exchange fails without reason come last.
//
// Such failures multiply: after each the thread goes on as after any other failure, and may fail again. The search goes to the depth first, so those deep in
// the tree would come before other executions near its root, and a search that is cut by a time limit would have seen little else. So it is made in two
// passes:
//
//   first   no weak compare-exchange fails without reason. If none could have, that was all.
//   second  everything. Its counts are those of a search in one pass; it is the same search.
//
// Executions of the second pass without such a failure are those of the first, one by one. If the second is cut, what was seen are all executions of the
// first pass, and those of the second with such a failure. A try_lock fails in both passes: its failure stands for a turn of another thread that is left
// out (runtime/loops/vain_locks.h).
//
// Cost: the executions of the first pass are made twice, if there are others.
#pragma once

#include <cstdint>

#include "engine/session.h"
#include "model/execution_graph.h"

namespace ordeal::explore {

/// Whether some compare-exchange has failed without reason. O(events).
bool has_spurious_failure(const model::ExecutionGraph& graph);

/// Where a search in two passes stands, and what it has seen. Without `begin_first`: a search in one.
class Passes {
 public:
  void begin_first() { *this = Passes(), pass_ = Pass::kFirst; }
  /// REQUIRES: the first has ended. `counts` are its own.
  void begin_second(const engine::Counts& counts) { pass_ = Pass::kSecond, first_ = counts, has_postponed_ = true; }
  bool is_first() const { return pass_ == Pass::kFirst; }
  bool is_second() const { return pass_ == Pass::kSecond; }

  /// The pass begins, or starts again.
  void begin_round() { fresh_ = {}, is_whole_ = false; }
  /// It was not cut. `has_postponed`: in the first, some failure was left for the second.
  void end_round(bool is_whole, bool has_postponed) { is_whole_ = is_whole, has_postponed_ |= has_postponed; }

  /// Whether the first pass had this execution.
  bool has_seen(const model::ExecutionGraph& graph) const { return is_second() && !is_whole_ && !has_spurious_failure(graph); }
  /// One that it has not had.
  void count(engine::Ending ending) { ++(ending == engine::Ending::kComplete ? fresh_.complete : fresh_.blocked); }
  /// The last one that was counted as blocked is complete.
  void count_as_complete() { --fresh_.blocked, ++fresh_.complete; }

  /// A search that was cut, and some execution with such a failure was not explored, or may not have been.
  bool is_cut() const { return pass_ != Pass::kOnly && !is_whole_ && has_postponed_; }
  /// In the first pass; so far, if it is under way.
  const engine::Counts& without() const { return is_second() ? first_ : fresh_; }
  /// With such failures, in this round of the second pass.
  engine::Counts with() const { return is_second() ? fresh_ : engine::Counts(); }
  /// Different executions, in both.
  engine::Counts seen() const;

 private:
  enum class Pass : std::uint8_t { kOnly, kFirst, kSecond } pass_ = Pass::kOnly;
  bool is_whole_ = false, has_postponed_ = false;
  engine::Counts first_, fresh_;
};

}  // namespace ordeal::explore
