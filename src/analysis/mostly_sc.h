// An order for an execution that no interleaving explains, with as few surprising reads as can be found.
//
// It goes on with any thread that can (schedule.h). Where none can, one of these must be put up with, and then counts:
//   a write while others have still to read what is there: each of them will read an old value
//   a read before the write that it reads, only where hard orders leave nothing else (load buffering)
// A seq_cst operation that is surprising counts so much that it is put up with only if there is no other way: its order cannot be made
// stronger, so it cannot be what is wrong. (AutoMO, OOPSLA 2015, section 6, drops edges that close cycles, in the order in which it finds
// them; we count, and search for the least number within a limit.)
//
//   P0: x = 1 rlx; reads y = 0 sc          P1: y = 1 sc; reads x = 0 rlx            (its Fig. 12)
//   One of the two reads is surprising. P0 goes first: then it is x.
//
// Limited: what takes too many steps is ended with whatever counts least at each place. Then O(operations * threads).
#pragma once

#include <set>
#include <utility>
#include <vector>

#include "analysis/hard_orders.h"
#include "analysis/operations.h"

namespace ordeal::analysis {

class MostlySc {
 public:
  MostlySc(const Operations& operations, const HardOrders& hard);
  /// Empty: the hard orders have a cycle.
  std::vector<OperationId> find();

 private:
  struct Option {
    int cost;
    OperationId operation;
    bool operator<(const Option& other) const { return cost != other.cost ? cost < other.cost : operation < other.operation; }
  };
  bool search(int cost_left);
  bool run_free();
  std::vector<Option> options();
  /// What it counts if the next operation of a thread comes now; kNever: it cannot.
  int cost(OperationId id) const;
  int cost_of_old_readers(const Operation& write, OperationId self) const;
  bool is_safe(OperationId id) const;
  void execute(OperationId id);
  void undo_to(std::size_t size);
  OperationId next(int thread) const;
  bool is_done(OperationId id) const { return id < 0 || done_[static_cast<std::size_t>(all_[id].thread)] > all_[id].index; }
  bool is_seq_cst(OperationId id) const { return hard_.is_seq_cst[static_cast<std::size_t>(id)] != 0; }
  std::int32_t& readers_left(OperationId write) { return readers_left_[static_cast<std::size_t>(write + all_.locations)]; }
  std::int32_t readers_left(OperationId write) const { return readers_left_[static_cast<std::size_t>(write + all_.locations)]; }

  static constexpr int kNever = -1;
  const Operations& all_;
  const HardOrders& hard_;
  std::vector<std::vector<OperationId>> behind_;   // by operation: those that hard orders put behind it
  std::vector<std::int32_t> before_left_;          // by operation: how many hard orders hold it back
  std::vector<std::vector<OperationId>> readers_;  // by write, initial ones first
  std::vector<std::int32_t> readers_left_;
  std::vector<std::int32_t> writes_left_;          // by location
  std::vector<std::int32_t> done_;                 // by thread
  std::vector<char> has_begun_;                    // by thread
  std::vector<OperationId> memory_;                // by location
  std::vector<OperationId> order_;
  std::vector<OperationId> overwritten_;           // beside order_: what was in memory before a write
  std::set<std::vector<std::int32_t>> seen_;       // states that led nowhere
  std::size_t steps_ = 0, most_steps_ = 0;         // most_steps_ 0: no way back
};

}  // namespace ordeal::analysis
