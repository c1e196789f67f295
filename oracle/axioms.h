// The axioms of the memory models, one a line, on execution graphs whose read-modify-writes are single events.
#pragma once

#include <vector>

#include "litmus/ast.h"
#include "oracle/oracle.h"
#include "oracle/relation.h"

namespace ordeal::oracle {

struct Event {
  enum class Kind { kRead, kWrite, kRmw, kFence };
  Kind kind = Kind::kWrite;
  int thread = -1;  // -1: an initial write
  int index = 0;    // in its thread; of an initial write: its location
  int location = -1;
  litmus::Order order = litmus::Order::kPlain;
  litmus::Value value_read = 0;
  litmus::Value value_written = 0;
  bool is_failed_compare_exchange = false;
  bool failed_spuriously = false;
  int source = -1;       // of an event that reads: the event that it reads from, or -1 while a promise is not kept
  int promised_by = -1;  // the thread that has promised the value, while source is -1

  bool reads() const { return kind == Kind::kRead || kind == Kind::kRmw; }
  bool writes() const { return kind == Kind::kWrite || kind == Kind::kRmw; }
  bool is_fence() const { return kind == Kind::kFence; }
  bool is_initial() const { return thread < 0; }
};

/// The relations of an execution graph that do not depend on the modification order, and the axioms on those that do.
class Axioms {
 public:
  /// `thin_air`: leave out the axiom "no thin air".
  Axioms(Model model, bool thin_air, const std::vector<Event>& events);

  /// Whether the axioms hold with the modification order `mo`.
  ///
  /// All of them forbid something and all relations grow with `mo`, with the events and with rf. So if they fail for a
  /// part of an execution, or for a part of a modification order, they fail for the whole.
  bool hold(const Relation& mo) const;

  /// Whether the axioms speak about several locations at once.
  bool couple_locations() const { return model_ == Model::kSc || model_ == Model::kTso || sc_ != 0; }

  /// Writes that `write` cannot be mo-before, since they come before it in hb (sc, tso: in po). The axioms say so too:
  /// this only saves trying.
  Set never_mo_before(int write) const { return never_mo_before_.row[write]; }

  /// Whether two conflicting accesses, one of them plain, are unordered by happens-before.
  bool racy() const;

  bool po_and_rf_are_acyclic() const { return acyclic(po_ | rf_); }

  const Relation& hb() const { return hb_; }

 private:
  bool cpp20(const Relation& mo, const Relation& fr, const Relation& eco) const;
  bool rc11(const Relation& mo, const Relation& fr, const Relation& eco) const;
  bool sequentially_consistent(const Relation& mo, const Relation& fr) const;
  bool tso(const Relation& mo, const Relation& fr) const;
  bool coherent(const Relation& eco) const;
  bool atomic(const Relation& mo, const Relation& fr) const;
  Relation only(Set set) const { return identity(size_, set); }

  Model model_;
  bool thin_air_;
  int size_;
  const std::vector<Event>& events_;

  // Sets of events.
  Set initial_ = 0, reads_ = 0, writes_ = 0, rmws_ = 0, fences_ = 0, plain_ = 0;
  Set release_ = 0, acquire_ = 0;  // accesses and fences with these effects
  Set sc_ = 0;                     // seq_cst accesses and fences
  Set sc_fences_ = 0;

  // Relations.
  Relation po_, rf_, rf_inverse_, same_location_;
  Relation rs_, sw_, hb_;
  Relation shb_;     // cpp20: strongly happens before
  Relation sc_shb_;  // cpp20: [SC];shb;[SC]
  Relation never_mo_before_;
  Relation before_, after_;  // what stands left and right of eco (cpp20) or scb (rc11) in psc
};

}  // namespace ordeal::oracle
