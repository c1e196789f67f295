// Is an execution equivalent to an interleaving of its threads (sequentially consistent, SC): one with the same program order, in which
// every read reads the same write, and that is the last one before it? And which; or which cycle forbids it?
//
// The tries, from cheap to dear; each answers if it can:
//   1. the order of execution itself is one; for those who only want to know whether there is one, also: it is with reads moved back, as
//      near to what they read as their threads allow
//   2. a schedule that goes on with any thread that can (schedule.h): finds an interleaving, or, after safe steps only, proves that there
//      is none. Real programs end here nearly always
//   3. what must come before what (inference.h): a cycle proves that there is none
//   4. a schedule that obeys 3.
//   5. a search: one of two orders of two writes is assumed, then 3. and 4. again; then the other. The problem is NP-complete
//      (Gibbons and Korach 1997), so the search has a limit: then the answer is kUndecided
// 5. is needed when no order of two writes is inferred, and yet only one leads anywhere: AutoMO's Fig. 9 (OOPSLA 2015, section 5).
// Where we differ from AutoMO: 1. and 2., and a search over pairs of writes, not over steps.
//
// 1. and 2. are O(operations) and allocate nothing in the steady state: `--sc-analysis` asks for every execution.
#pragma once

#include <vector>

#include "analysis/inference.h"
#include "analysis/operations.h"
#include "analysis/schedule.h"

namespace ordeal::analysis {

enum class Sc : std::uint8_t { kYes, kNo, kUndecided };

/// Why there is no interleaving. Each operation comes before the next in every one; the last edge leads to the first operation.
struct Cycle {
  std::vector<ScEdge> edges;
  std::vector<std::vector<ScEdge>> ways;  // see Inference::Explanation
  std::vector<ScEdge> reasons;  // what was inferred for it, each behind what it follows from
  /// Orders of writes were assumed: this is one of the cases, and every other has a cycle, too.
  bool is_one_case = false;
};

class ScEquivalence {
 public:
  /// The operations must stay until the other functions were called.
  Sc decide(const Operations& operations);
  /// Of all operations. REQUIRES: the answer was kYes.
  std::vector<OperationId> interleaving() const;
  /// REQUIRES: the answer was kNo.
  Cycle cycle();
  /// The last event that the answer needs: those up to it have no interleaving by themselves, if the order of events respects program order
  /// and reads-from. REQUIRES: the answer was kNo.
  std::int32_t last_needed();
  /// How often an order of two writes was assumed. Real programs: never.
  std::size_t assumptions() const { return assumptions_; }
  /// Reads may be moved back: the interleaving is then one that nobody would want to see.
  void set_moving_back(bool on) { moves_back_ = on; }
  /// For tests: 1. and 2. are left out.
  void set_inferring_always(bool on) { infers_always_ = on; }

 private:
  bool is_in_order();
  Sc infer();
  Sc search(Inference& inference);
  Sc try_order(const Inference& inference, OperationId before, OperationId behind);
  void keep_cycle(const Inference& inference);

  const Operations* operations_ = nullptr;
  Schedule schedule_;
  Inference inference_;
  Cycle cycle_;
  bool keeps_cycle_ = false;  // only who asks for it pays for it
  bool is_stuck_ = false;     // how 2. ended: that is the proof
  bool is_cyclic_ = false;    // how 3. ended, without assumptions
  std::vector<OperationId> interleaving_;
  std::vector<OperationId> memory_;  // by location: the last write
  std::vector<OperationId> places_;  // by operation: the write that it stands behind, or is, if reads are moved back
  std::vector<OperationId> next_write_;  // to the same location, by write, initial ones first; kNoOperation: none so far
  std::vector<OperationId> begun_;       // by thread: where its last operation stands, or its creation
  bool moves_back_ = false;
  bool is_ordered_ = false;  // 1. has answered
  std::size_t assumptions_ = 0;
  std::size_t steps_ = 0;  // of the search
  bool infers_always_ = false;
};

}  // namespace ordeal::analysis
