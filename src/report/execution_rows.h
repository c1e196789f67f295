// The rows of an execution with the arrows between them, for what draws it: the page and Graphviz. Rows are those of the table in the
// terminal, with the same letters; arrows between events lead between their rows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "analysis/relations.h"
#include "report/bug_view.h"

namespace ordeal::report {

/// From row to row.
using RowPairs = std::set<std::pair<std::int64_t, std::int64_t>>;
struct RowEdges {
  RowPairs rf, forced_mo, chosen_mo, fr, sw;
  RowPairs hb;  // between threads; in a thread it is the order of the rows
};

class ExecutionRows {
 public:
  static constexpr std::int64_t kNone = -2;  // it is not shown

  /// Of more rows than `most` the last are shown, and what the bug is about. `view` must outlive this.
  ExecutionRows(const BugView& view, std::size_t most);

  const std::vector<TableLine>& lines() const { return lines_; }
  /// Of an event of the trace; kNone.
  std::int64_t row_of(std::size_t event) const { return row_of_[event]; }
  std::size_t threads() const;
  const analysis::Relations& relations() const { return relations_; }
  RowEdges edges() const;
  /// What is not shown, and why there are no arrows, in words.
  std::vector<std::string> remarks() const;

 private:
  void cut(std::size_t most);
  void put(RowPairs& pairs, const analysis::Edge& edge) const;
  void add_threads_without_events(RowPairs& sw) const;
  std::int64_t first_row(std::size_t thread) const;
  std::int64_t last_row(std::size_t thread) const;
  std::size_t thread_at(std::int64_t row) const { return lines_[static_cast<std::size_t>(row)].thread; }

  const BugView& view_;
  const trace::Trace& trace_;
  analysis::Relations relations_;
  std::vector<TableLine> lines_;
  std::vector<std::int64_t> row_of_;  // by event
  std::size_t left_out_ = 0;
};

}  // namespace ordeal::report
