// A model is a list of axioms; this is where they meet.
//
//   axiom        models            file                    clause
//   coherence    cpp20 rc11        coherence.h             [intro.races]p13–p17
//   atomicity    cpp20 rc11        atomicity.h             [atomics.order]p10
//   seq_cst      cpp20             seq_cst.h               [atomics.order]p3–p6
//   seq_cst      rc11              seq_cst.h               Lahav et al. 2017, psc_base and psc_fence
//   no thin air  all               thin_air.h              [atomics.order]p8, strengthened to po ∪ rf acyclic
//   sc           sc                interleaving.h          Lamport 1979
//   tso          tso               interleaving.h          Burckhardt, Musuvathi 2008, definition 3
//
// (`axioms(model)` is that table for programs; a test compares the two and looks for the files.)
//
// Events are pushed one at a time; each push says whether the graph is still consistent. What makes that cheap: a new
// event happens before nothing. So a store or fence on top of a consistent graph is always consistent (put it last in mo
// and in S); only a read, and the write of an RMW, can break an axiom.
#pragma once

#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "model/atomicity.h"
#include "model/coherence.h"
#include "model/interleaving.h"
#include "model/seq_cst.h"
#include "model/useless_values.h"

namespace ordeal::model {

enum class Model : std::uint8_t { kCpp20, kRc11, kSc, kTso };

struct Axiom {
  std::string_view name;
  std::string_view file;
  std::string_view clause;
};
std::span<const Axiom> axioms(Model model);
std::string_view name_of(Model model);

class Consistency {
 public:
  explicit Consistency(Model model);
  Model model() const { return model_; }
  /// Whether modification order is part of an execution class (and a choice).
  bool mo_is_explicit() const { return model_ == Model::kSc || model_ == Model::kTso; }

  /// The writes that a read by `access` may read as far as coherence goes, the initial one included. In models with
  /// explicit mo: all. `push_read` tells the rest.
  void sources(const ExecutionGraph& graph, const Access& access, std::vector<Slot>& out);
  /// Whether `test` holds for one of them.
  template <class Test>
  bool any_source(const ExecutionGraph& graph, const Access& access, Test&& test) {
    if (!mo_is_explicit()) floors_.compute(graph, access.thread, access.location);
    const auto is_allowed = [&](Slot write) { return mo_is_explicit() || floors_.allow(graph, write); };
    if (is_allowed(initial_write(access.location)) && test(initial_write(access.location))) return true;
    for (Slot at = graph.last_write(access.location); at != kNone; at = graph.event(at).previous_at_location) {
      const bool allowed = is_allowed(at);
      if (allowed && test(at)) return true;
      // Those that came before it are before a floor, too.
      if (graph.event(at).is_behind_all && (!allowed || floors_.contain(at))) break;
    }
    return false;
  }
  /// See event.h. With what is known about useless values.
  bool fits(const Access& access, Value value) const {
    if (access.await == Await::kUseful) return useless_ == nullptr || !useless_->contains(number(access.other), value);
    return model::fits(access, value);
  }
  /// Whether the access, which waits, would be redundant with that value; at all, with some values.
  bool is_redundant(const Access& access, Value value) const {
    return access.await == Await::kUseful && useless_ != nullptr && useless_->why(number(access.other), value) == UselessValues::Why::kRedundant;
  }
  bool may_be_redundant(const Access& access) const { return access.await == Await::kUseful && useless_ != nullptr && useless_->has_redundant(number(access.other)); }
  void set_useless_values(const UselessValues* values) { useless_ = values; }
  /// Whether an RMW has built upon `write` already.
  bool is_taken(const ExecutionGraph& graph, Slot write) const {
    return mo_is_explicit() ? has_rmw_behind(graph, write) : !may_be_built_upon(graph, write);
  }
  /// The event that reads `source`, with its value, order and RMW flag. An access may have several *variants*, of which 0
  /// is canonical: a weak compare-exchange may fail spuriously (1), a notify may clear the n-th of the bits that are set.
  static Event make_read(const ExecutionGraph& graph, const Access& access, Slot source, int variant);
  static int variants(const Access& access, Value read);
  /// The thread goes on behind `waker`.
  static Event make_wake(const ExecutionGraph& graph, const Access& access, Slot waker);
  /// The access waits: `before` came first, or is kNone.
  static Event make_attempt(const Access& access, Slot before);
  /// The write of `access`; for an RMW the write that follows `read`.
  static Event make_write(const Access& access);
  static Event make_rmw_write(const Event& read);

  // Each pushes the event and returns whether the graph is consistent; if not, the caller pops it. The stamp must be set.
  bool push_read(ExecutionGraph& graph, const Event& read);
  bool push_write(ExecutionGraph& graph, const Event& write);
  void push_other(ExecutionGraph& graph, const Event& event) { graph.push(event); }
  /// An event that stands at `at` in `other`, with all that it depends on: no check is made.
  void push_copy(ExecutionGraph& graph, const Event& event, const ExecutionGraph& other, Slot at);

  /// The whole graph again, from its forced constraints (the seq_cst part and the explicit models).
  bool recheck(ExecutionGraph& graph);

 private:
  static bool has_rmw_behind(const ExecutionGraph& graph, Slot write);
  /// Gives the write just pushed its place among the constraints; false: it is taken. Uses floors_.
  bool place_write(ExecutionGraph& graph);
  bool seq_cst_holds(ExecutionGraph& graph);
  bool touches_seq_cst(const ExecutionGraph& graph) const;

  Model model_;
  SeqCst seq_cst_;
  Interleaving interleaving_;
  Floors floors_;
  const UselessValues* useless_ = nullptr;
};

}  // namespace ordeal::model
