#include "report/cycle_text.h"

#include <fmt/format.h>

namespace ordeal::report {

namespace {

/// Why the second comes behind the first.
std::string reason(analysis::ScEdgeKind kind, const std::string& before) {
  using analysis::ScEdgeKind;
  switch (kind) {
    case ScEdgeKind::kPo: return "program order";
    case ScEdgeKind::kCreate: return "the thread that " + before + " creates";
    case ScEdgeKind::kJoin: return "joins the thread of " + before;
    case ScEdgeKind::kRf: return "reads " + before;
    case ScEdgeKind::kWake: return "woken by " + before;
    case ScEdgeKind::kMo: return "overwrites " + before;
    case ScEdgeKind::kFr: return "overwrites what " + before + " read";
    case ScEdgeKind::kAssumed: return "the other way round it does not work either";
  }
  return "";
}

std::string letter(const Rows& rows, analysis::EventIndex event) { return rows.letter(static_cast<std::size_t>(event)); }

/// "overwrites f, which i read; f comes before d: g (program order), d (reads g)": where it takes more than a step to see that.
std::string way_text(const Rows& rows, const analysis::CycleStep& step) {
  const std::string write = letter(rows, step.way.front().from);
  std::string text = fmt::format("overwrites {}, which {} read; {} comes before {}: ", write, letter(rows, step.from), write, letter(rows, step.to));
  const char* separator = "";
  for (const analysis::CycleStep& part : step.way) {
    text += fmt::format("{}{} ({})", separator, letter(rows, part.to), reason(part.kind, letter(rows, part.from)));
    separator = ", ";
  }
  return text;
}

}  // namespace

std::string cycle_text(const Rows& rows) {
  if (rows.cycle().empty()) return "";
  std::string text = "Each of these must come before the next: " + letter(rows, rows.cycle().front().from);
  for (const analysis::CycleStep& step : rows.cycle()) text += fmt::format(", {} ({})", letter(rows, step.to), step.way.empty() ? reason(step.kind, letter(rows, step.from)) : way_text(rows, step));
  return text + (rows.cycle_is_one_case() ? ". That is one of several cases, and none works." : ".");
}

std::string sc_text(const Rows& rows) {
  if (rows.is_interleaving()) return "This execution is an interleaving of the threads: the rows are one.";
  if (!rows.is_weak()) return "Whether an interleaving of the threads does this could not be decided.";
  return "This execution is no interleaving of the threads. " + cycle_text(rows);
}

}  // namespace ordeal::report
