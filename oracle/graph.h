// Execution graphs of a program, and how they grow by one event.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "litmus/ast.h"
#include "oracle/axioms.h"
#include "oracle/oracle.h"
#include "oracle/program.h"
#include "oracle/relation.h"

namespace ordeal::oracle {

/// Thrown where a limit is hit.
struct GaveUp {};

/// Counts what is tried, up to a limit.
class Budget {
 public:
  explicit Budget(std::size_t limit) : limit_(limit) {}
  void spend() {
    if (++spent_ > limit_) throw GaveUp{};
  }
  std::size_t spent() const { return spent_; }

 private:
  std::size_t limit_;
  std::size_t spent_ = 0;
};

/// A (partial) execution: its events in the order in which they were added, the initial writes first (event x is the
/// initial write of location x), and where each thread stands.
struct Graph {
  int size() const { return static_cast<int>(events.size()); }
  /// The events that write a location.
  Set writes_of(int location) const;
  /// The name of its class: the same for two graphs iff their threads took the same paths with the same rf.
  std::string key() const;

  std::vector<Event> events;
  std::vector<Node*> threads;
};

/// The event of the step at `node`, if memory gives that answer; its source, if it reads, is left open.
Event make_event(const Node& node, Answer answer);

/// Makes the graphs of a program.
class Graphs {
 public:
  using Visit = std::function<void(const Graph&)>;

  Graphs(const litmus::Test& test, const Options& options)
      : test_(test), spurious_(options.spurious), program_(test, options.loop_bound) {}

  int thread_count() const { return program_.thread_count(); }
  int location_count() const { return static_cast<int>(test_.locations.size()); }
  Node* next(Node* node, Answer answer) { return program_.next(node, answer); }

  /// The initial writes.
  Graph start();
  /// The graph with the next event of `thread`; its source, if it reads, is left open.
  Graph extend(const Graph& graph, int thread, Answer answer);
  /// The answers possible when `step` reads `value`.
  std::vector<Answer> answers(const Step& step, litmus::Value value) const;
  /// The graphs in which `thread`, which stands at a read, reads one of the writes from event `first` on.
  void for_each_read(const Graph& graph, int thread, int first, const Visit& visit);
  /// The part of a complete graph with the events in `done`. A read whose write is not among them has a promise.
  Graph part(const Graph& graph, Set done);

 private:
  const litmus::Test& test_;
  bool spurious_;
  Program program_;
};

}  // namespace ordeal::oracle
