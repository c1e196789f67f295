// What the threads of a litmus test do: the oracle's own interpreter of the syntax tree.
//
// A thread knows nothing of memory. It is a tree: a node is a point where the thread stands before a memory access or a
// fence (or at its end); what memory answers decides the node that follows. A node is found by running the thread from
// its start with the answers so far.
#pragma once

#include <map>
#include <memory>
#include <vector>

#include "litmus/ast.h"

namespace ordeal::oracle {

/// What a thread wants to do next.
struct Step {
  enum class Kind { kLoad, kStore, kRmw, kCompareExchange, kFence, kEnd, kCut, kBadAccess };
  Kind kind = Kind::kEnd;
  int location = -1;
  litmus::Order order = litmus::Order::kPlain;
  litmus::Order failure_order = litmus::Order::kPlain;  // of a compare-exchange
  bool is_weak = false;                                 // compare-exchange that may fail spuriously
  litmus::RmwOp rmw_op = litmus::RmwOp::kExchange;
  litmus::Value operand = 0;   // what is stored; the second operand of an RMW; what a compare-exchange desires
  litmus::Value expected = 0;  // of a compare-exchange
  litmus::Type type;           // of the location; values are converted to it when they are written

  /// The thread ends here, or a loop bound cuts it, or it would access what is no location (address `operand`).
  bool is_over() const { return kind == Kind::kEnd || kind == Kind::kCut || kind == Kind::kBadAccess; }
  bool may_read() const { return kind == Kind::kLoad || kind == Kind::kRmw || kind == Kind::kCompareExchange; }
};

/// What memory answers to a step: the value read (nothing for stores and fences), and whether a weak compare-exchange
/// that could have succeeded fails all the same.
struct Answer {
  litmus::Value value = 0;
  bool fails_spuriously = false;
  auto operator<=>(const Answer&) const = default;
};

/// A point in the run of a thread.
struct Node {
  int thread = 0;
  std::vector<Answer> answers;           // one for each step before this point
  Step step;                             // what comes next
  std::vector<litmus::Value> variables;  // their values here, if the thread ends here
  std::map<Answer, std::unique_ptr<Node>> next;
};

class Program {
 public:
  Program(const litmus::Test& test, int loop_bound);
  int thread_count() const { return static_cast<int>(starts_.size()); }
  Node* start(int thread) { return starts_[thread].get(); }
  Node* next(Node* node, Answer answer);

 private:
  std::unique_ptr<Node> make_node(int thread, std::vector<Answer> answers) const;

  const litmus::Test& test_;
  int loop_bound_;
  std::vector<std::unique_ptr<Node>> starts_;
};

/// old `op` operand, as a fetch operation computes it (before conversion to the location's type).
litmus::Value apply(litmus::RmwOp op, litmus::Value old, litmus::Value operand);

}  // namespace ordeal::oracle
