// Load buffering: the executions with a cycle in po ∪ rf that C++ allows, by certified promises.
//
//   r1 = x (relaxed)   ∥   r2 = y (relaxed)          r1 = r2 = 1: each load reads the other thread's later store.
//   y = 1 (relaxed)    ∥   x = 1 (relaxed)
//
// Threads are run in an order of execution that respects happens-before. A load may return a value that another thread t
// has not written yet, a *promise* (t, location, value), if t, run alone from that point and reading only writes that exist
// then, can write it: so no value comes out of thin air. A later write of t with that location and value keeps the promise.
// The axioms but "no thin air" hold on the whole graph with its real synchronisation; since the load was executed before
// the write, nothing that orders the write before it can be allowed, so a promise never synchronises.
// A thread that ends without having kept its promises ends the run (`discarded`).
//
// Only classes with a cycle are reported; the ordinary ones are the exhaustive search's. This is a search over orders of
// execution that remembers the partial graphs it has seen: for tests of litmus size. CDSChecker, section 6, has the problem
// and another answer (promises without certificate, which need a discipline to keep thin air out).
#pragma once

#include <deque>
#include <optional>
#include <set>
#include <string>
#include <unordered_set>
#include <vector>

#include "engine/follower.h"
#include "engine/observer.h"
#include "engine/session.h"
#include "model/consistency.h"

namespace ordeal::explore {

class LoadBuffering {
 public:
  LoadBuffering(engine::Program& program, model::Consistency& consistency) : follower_(program), consistency_(consistency) {}
  void add(engine::Observer& observer) { observers_.push_back(&observer); }
  void set_spurious_failures(bool on) { spurious_failures_ = on; }
  void stop_when(bool (*condition)(void*), void* data) { stop_ = condition, stop_data_ = data; }

  /// Visits every complete class with a cycle in po ∪ rf once.
  const engine::Counts& run();
  const engine::Counts& counts() const { return counts_; }
  /// Runs that ended with a promise not kept.
  std::uint64_t discarded() const { return discarded_; }

 private:
  using Writes = std::set<std::pair<model::LocationId, model::Value>>;

  void explore(std::size_t depth);
  void step(std::size_t depth, model::ThreadId thread, const engine::Operation& operation);
  void read(std::size_t depth, const engine::Operation& operation, const std::vector<model::Slot>& sources);
  std::vector<model::Slot> sources(const model::ExecutionGraph& graph, const model::Access& access) const;
  void promises(std::size_t depth, const engine::Operation& operation);
  void write(std::size_t depth, const model::Event& event);
  void keep_promises(std::size_t depth, std::vector<model::Slot>& open, std::size_t next);
  void add_read(std::size_t depth, const model::Event& event);
  void go_on(std::size_t depth, model::ThreadId thread);
  void report(std::size_t depth);
  const Writes& certifiable(std::size_t depth, model::ThreadId thread);
  bool can_go_on(model::ExecutionGraph& graph, model::ThreadId thread);
  bool has_broken_promise(model::ExecutionGraph& graph);
  std::string key(const model::ExecutionGraph& graph, bool with_order) const;
  model::ExecutionGraph& at(std::size_t depth);
  model::ExecutionGraph& child(std::size_t depth);

  engine::Follower follower_;
  model::Consistency& consistency_;
  std::vector<engine::Observer*> observers_;
  engine::Counts counts_;
  std::uint64_t discarded_ = 0;
  bool spurious_failures_ = true;
  std::deque<model::ExecutionGraph> graphs_;  // by depth
  std::unordered_set<std::string> seen_, reported_;
  model::ThreadId certified_ = model::kNoThread;  // while a certificate is looked for: the thread that runs alone …
  Writes* certificate_ = nullptr;                 // … and what it could write
  std::unordered_set<std::string>* certificate_seen_ = nullptr;
  std::vector<std::vector<std::optional<Writes>>> certificates_;  // depth, thread → found so far
  bool (*stop_)(void*) = nullptr;
  void* stop_data_ = nullptr;
};

}  // namespace ordeal::explore
