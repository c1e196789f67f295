// How an explanation names what it tells of: threads, variables, values, places and rows.
#pragma once

#include <cstddef>
#include <string>

#include "analysis/answers.h"
#include "report/bug_view.h"

namespace ordeal::report {

class Telling {
 public:
  explicit Telling(const BugView& bug) : bug_(bug), trace_(bug.trace()), answers_(bug.trace()) {}

 protected:
  const trace::TraceEvent& event(std::size_t index) const { return trace_.events[index]; }
  static std::size_t index(analysis::EventIndex event) { return static_cast<std::size_t>(event); }
  const std::string& thread(std::size_t index) const { return bug_.thread(event(index).name.thread); }
  /// " at queue.cpp:41 [c]": place and row.
  std::string where(std::size_t index) const;
  /// "'x'"
  std::string location(std::size_t index) const;
  std::string value(std::size_t index) const;
  /// "thread 2 reads 'flag' = 1 at queue.cpp:56 [e] from the store of thread 1 at queue.cpp:42 [d]". REQUIRES: it reads an event.
  std::string reads_from(std::size_t read) const;
  /// "the store is relaxed, not release, the load is relaxed, not acquire"; empty: nothing is wrong with either.
  std::string weakness(const analysis::Hop& hop) const;
  /// " (the fence at queue.cpp:44 [e] comes after it)": one right beside it that is of no use. Empty: there is none.
  std::string useless_fence(std::size_t index, bool is_store) const;
  static std::string not_strong_enough(model::MemoryOrder order, const char* needed);
  trace::LocationSort sort(std::size_t index) const;
  /// Where an event is; a party of the bug.
  analysis::Spot at(std::size_t index) const { return {event(index).name.thread, event(index).name.index, true}; }
  analysis::Spot spot(std::size_t party) const;

  const BugView& bug_;
  const trace::Trace& trace_;
  analysis::Answers answers_;
};

}  // namespace ordeal::report
