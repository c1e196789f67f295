#include "report/execution_rows.h"

#include <algorithm>

#include <fmt/format.h>

#include "report/litmus_report.h"
#include "report/printable.h"
#include "trace/trace_words.h"

namespace ordeal::report {

using model::EventKind;
using trace::TraceEvent;

ExecutionRows::ExecutionRows(const BugView& view, std::size_t most)
    : view_(view), trace_(view.trace()), relations_(analysis::relations(trace_)), lines_(execution_lines(trace_, view.texts())) {
  cut(most);
  std::vector<std::int64_t> line_of(view_.rows().events().size(), kNone);  // by row of the table
  for (std::size_t i = 0; i < lines_.size(); ++i)
    if (lines_[i].event >= 0) line_of[view_.rows().row(static_cast<std::size_t>(lines_[i].event))] = static_cast<std::int64_t>(i);
  for (std::size_t i = 0; i < trace_.events.size(); ++i) row_of_.push_back(line_of[view_.rows().row(i)]);
}

std::size_t ExecutionRows::threads() const {
  std::size_t count = trace_.threads.size();
  for (const TableLine& line : lines_) count = std::max(count, line.thread + 1);
  return count;
}

void ExecutionRows::cut(std::size_t most) {
  if (lines_.size() <= most) return;
  left_out_ = lines_.size();
  const std::size_t first = lines_.size() - most;
  std::vector<TableLine> kept;
  for (std::size_t i = 0; i < lines_.size(); ++i)
    if (i >= first || lines_[i].is_marked) kept.push_back(std::move(lines_[i]));
  lines_ = std::move(kept);
  left_out_ -= lines_.size();
}

RowEdges ExecutionRows::edges() const {
  RowEdges edges;
  for (const analysis::Edge& edge : relations_.rf) put(edges.rf, edge);
  for (const analysis::Edge& edge : relations_.sw) put(edges.sw, edge);
  for (const analysis::Edge& edge : relations_.hb) put(edges.hb, edge);
  for (const analysis::OrderEdge& edge : relations_.mo) put(edge.necessity == analysis::Necessity::kForced ? edges.forced_mo : edges.chosen_mo, edge.edge);
  for (const analysis::OrderEdge& edge : relations_.fr) put(edges.fr, edge.edge);
  add_threads_without_events(edges.sw);
  std::erase_if(edges.hb, [&](const auto& pair) { return thread_at(pair.first) == thread_at(pair.second); });
  return edges;
}

/// The first and the last row of a thread may be no events, but they are created and joined, too.
void ExecutionRows::put(RowPairs& pairs, const analysis::Edge& edge) const {
  if (edge.from < 0 || edge.to < 0) return;
  const TraceEvent &source = trace_.events[static_cast<std::size_t>(edge.from)], &target = trace_.events[static_cast<std::size_t>(edge.to)];
  std::int64_t from = row_of_[static_cast<std::size_t>(edge.from)], to = row_of_[static_cast<std::size_t>(edge.to)];
  if (from == kNone || to == kNone || from == to) return;
  if (source.kind == EventKind::kCreate && source.other == target.name.thread) to = first_row(thread_at(to));
  if (target.kind == EventKind::kJoin && target.other == source.name.thread) from = last_row(thread_at(from));
  pairs.insert({from, to});
}

std::int64_t ExecutionRows::first_row(std::size_t thread) const {
  return std::find_if(lines_.begin(), lines_.end(), [&](const TableLine& line) { return line.thread == thread; }) - lines_.begin();
}
std::int64_t ExecutionRows::last_row(std::size_t thread) const {
  return lines_.rend() - std::find_if(lines_.rbegin(), lines_.rend(), [&](const TableLine& line) { return line.thread == thread; }) - 1;
}

/// What such a thread does is no event, but it is created and joined.
void ExecutionRows::add_threads_without_events(RowPairs& sw) const {
  std::vector<bool> has_events(threads(), false);
  for (const TraceEvent& event : trace_.events)
    if (static_cast<std::size_t>(event.name.thread) < has_events.size()) has_events[static_cast<std::size_t>(event.name.thread)] = true;
  for (std::size_t i = 0; i < lines_.size(); ++i) {
    if (has_events[lines_[i].thread]) continue;
    for (std::size_t e = 0; e < trace_.events.size(); ++e) {
      const TraceEvent& event = trace_.events[e];
      if (!trace::has_other(event) || event.other != static_cast<std::int32_t>(lines_[i].thread) || row_of_[e] == kNone) continue;
      const auto row = static_cast<std::int64_t>(i);
      sw.insert(event.kind == EventKind::kCreate ? std::pair{row_of_[e], row} : std::pair{row, row_of_[e]});
    }
  }
}

std::vector<std::string> ExecutionRows::remarks() const {
  std::vector<std::string> remarks;
  if (left_out_ > 0) remarks.push_back(fmt::format("The execution is long: its first rows are left out, {} of {}.", grouped(left_out_), grouped(left_out_ + lines_.size())));
  switch (relations_.standing) {
    case analysis::Standing::kConsistent: break;
    case analysis::Standing::kInconsistent: remarks.push_back(fmt::format("The model {} does not allow this execution: mo, fr and what reads could have read are not known.", printable(trace_.model))); break;
    case analysis::Standing::kUnknownModel: remarks.push_back(fmt::format("The model {} is not known here: there are no edges.", printable(trace_.model))); break;
    case analysis::Standing::kTooLarge: remarks.emplace_back("The execution is too large: there are no edges."); break;
  }
  return remarks;
}

}  // namespace ordeal::report
