// In which rows the events of an execution are shown, and what the order of rows tells: analysis/simplify.h finds it.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "analysis/simplify.h"
#include "trace/trace.h"

namespace ordeal::report {

/// Which row an event is in. The two events of a read-modify-write share one.
class Rows {
 public:
  explicit Rows(const trace::Trace& trace);
  /// Indices of trace.events, the first of each row.
  const std::vector<std::size_t>& events() const { return events_; }
  /// REQUIRES: index < trace.events.size().
  std::size_t row(std::size_t index) const { return row_of_[index]; }
  /// "a", "b", … "z", "a1": of the row of this event.
  std::string letter(std::size_t index) const;
  /// The index of the event with this name; -1: an initial write.
  std::ptrdiff_t index_of(const trace::EventName& name) const;
  /// The last write to the location of a read in the rows above it, if the read does not read it although what it reads is
  /// above, too: -1 if there is none.
  std::ptrdiff_t skipped(std::size_t read) const;
  /// Whether it reads another write than the last one above it.
  bool is_surprising(std::size_t read) const { return shown_.expected[read] != analysis::kNoEvent; }
  /// No interleaving does this: that is certain.
  bool is_weak() const { return shown_.sc == analysis::Sc::kNo; }
  /// The rows are an interleaving.
  bool is_interleaving() const { return shown_.sc == analysis::Sc::kYes; }
  /// Why there is none: simplify.h.
  const std::vector<analysis::CycleStep>& cycle() const { return shown_.cycle; }
  bool cycle_is_one_case() const { return shown_.cycle_is_one_case; }
  /// Whether the two events are one read-modify-write.
  static bool are_halves(const trace::TraceEvent& read, const trace::TraceEvent& write);

 private:
  const trace::Trace& trace_;
  analysis::ShownOrder shown_;
  std::vector<std::size_t> events_, row_of_;
  std::map<std::pair<std::int32_t, std::int32_t>, std::size_t> index_;
};

}  // namespace ordeal::report
