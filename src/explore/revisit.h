// Revisits: a new write may be what an earlier read reads (TruSt, Kokologiannakis et al. 2022).
//
// The graph G was explored in insertion order, and r read something that existed then. Now write w to r's location has
// come, which does not depend on r. The revisit keeps everything that was inserted before r or that w depends on (its
// *prefix*), drops the rest (D), and lets r read w:    G' = G − D + w, rf(r) = w.
//
// Every class must come up once, so of all graphs G that lead to one G' a single one may do it: that in which all of D,
// and r itself, was *canonical*. For r and each d of D, in insertion order, with P = what came before d or is in w's prefix:
//   - no read of P reads from outside P;
//   - a read d reads source(P, d): the greatest write, in the fixed order (fixed_order.h), initial write least, that is
//     consistent with P (an RMW together with its write); and it did not fail spuriously;
//   - a chosen value is 0, a notify clears the lowest bit, a load that waits still waits;
//   - with explicit mo a store is last among the writes of P and w.
// The first point holds iff no write of D was itself a revisitor, because P only lacks what is inserted later.
//
// Where we differ from TruSt: canonical is not "reads the mo-maximal write", which needs mo, but the rule above.
// Example: x=1 ∥ r=x. Thread 0 first: r reads 1 or 0, no revisit. With the threads the other way round, r reads 0, then x=1
// comes, D is empty, source({}, r) is the initial write, so r is canonical and is revisited.
//
// Cost: a copy of the graph, and a push for each kept event behind r; one for each event of D too, unless it is plain to see that
// all are canonical.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "model/consistency.h"

namespace ordeal::explore {

class Revisit {
 public:
  explicit Revisit(model::Consistency& consistency) : consistency_(consistency) {}

  /// The reads that the write on top of `graph` may revisit: those that insertion order does not rule out.
  void candidates(const model::ExecutionGraph& graph, std::vector<model::Slot>& out) const;

  /// Whether an RMW by `access` that reads `source`, which another RMW has taken, can displace that one at all.
  bool may_displace(const model::ExecutionGraph& graph, const model::Access& access, model::Slot source);

  /// Builds G' in `into`, for the write on top of `graph` and `read`, one of its candidates, in one of its variants. The read
  /// is on top then; if it is that of an RMW, its write is still to come. A lock is displaced instead: an attempt is on top
  /// (waiting.h). False: not canonical, or not consistent.
  bool build(const model::ExecutionGraph& graph, model::Slot read, int variant, model::ExecutionGraph& into);

 private:
  struct Window {  // of stamps
    std::int64_t after = -1;
    std::int64_t before = std::numeric_limits<std::int64_t>::max();
  };
  void waiting_loads(const model::ExecutionGraph& graph, Window open, std::vector<model::Slot>& out) const;
  static Window window(const model::ExecutionGraph& graph, int size, const model::ClockEntry* prefix, model::Slot source);
  void collect_deleted(const model::ExecutionGraph& graph, model::Slot read);
  void build_kept(const model::ExecutionGraph& graph, model::Slot read, model::ExecutionGraph& into);
  bool all_canonical(const model::ExecutionGraph& graph, model::Slot read, model::ExecutionGraph& into);
  bool is_canonical(const model::ExecutionGraph& graph, model::Slot at, model::ExecutionGraph& before);
  bool all_surely_canonical(const model::ExecutionGraph& graph, model::Slot read);
  bool surely_reads_greatest(const model::ExecutionGraph& graph, const model::Event& read);
  bool surely_could_read_greater(const model::ExecutionGraph& graph, model::Slot at);
  bool stores_last(const model::ExecutionGraph& graph, model::Slot store) const;
  bool reads_its_source(const model::Event& read, model::ExecutionGraph& before);
  bool could_read(const model::Event& read, model::Slot source, model::ExecutionGraph& before);
  /// The event at `at` of the old graph as it is pushed into the new one: links translated, payload kept.
  void push_again(const model::ExecutionGraph& graph, model::Slot at, model::ExecutionGraph& into);
  model::Event translated(const model::ExecutionGraph& graph, model::Slot at) const;
  model::Slot translated(model::Slot old) const;

  model::Consistency& consistency_;
  std::vector<char> is_deleted_;       // slot → in D
  std::vector<model::Slot> deleted_;   // D in insertion order
  std::vector<model::Slot> new_slot_;  // old slot → new slot
  std::vector<model::Slot> taken_;     // sources of RMWs
  std::vector<model::ClockEntry> prefix_;
  model::Floors floors_;               // of the read
  int first_change_ = 0;               // the lowest slot that is deleted or is the read
};

}  // namespace ordeal::explore
