#include "report/dot.h"

#include <fmt/format.h>

#include "report/execution_rows.h"
#include "report/printable.h"

namespace ordeal::report {
namespace {

constexpr std::size_t kMostBoxes = 400;  // what Graphviz still draws in a few seconds

std::string node(const TableLine& line, std::size_t row) {
  std::string label = line.letter.empty() ? "" : line.letter + "  ";
  label += line.text;
  const std::string place = line.place.empty() ? "" : "\\n" + dot_text(line.place);
  return fmt::format("    r{} [label=\"{}{}\"{}];\n", row, dot_text(label), place, line.is_marked ? ", color=red, penwidth=2" : "");
}

std::string cluster(const ExecutionRows& rows, std::size_t thread, const std::string& name) {
  std::string nodes, order;
  std::int64_t last = ExecutionRows::kNone;
  for (std::size_t i = 0; i < rows.lines().size(); ++i) {
    if (rows.lines()[i].thread != thread) continue;
    nodes += node(rows.lines()[i], i);
    if (last != ExecutionRows::kNone) order += fmt::format("    r{} -> r{} [weight=100];\n", last, i);
    last = static_cast<std::int64_t>(i);
  }
  if (nodes.empty()) return "";
  return fmt::format("  subgraph cluster_{} {{\n    label=\"{}\";\n{}{}  }}\n", thread, dot_text(name), nodes, order);
}

/// Each row stands below the one before it, as in the table.
std::string ladder(std::size_t rows) {
  std::string text;
  for (std::size_t i = 1; i < rows; ++i) text += fmt::format("  r{} -> r{} [style=invis];\n", i - 1, i);
  return text;
}

std::string arrows(const RowPairs& pairs, std::string_view name, std::string_view colour, std::string_view style) {
  std::string text;
  for (const auto& pair : pairs)
    text += fmt::format("  r{} -> r{} [label={}, color={}, fontcolor={}, style={}, constraint=false];\n", pair.first, pair.second, name, colour, colour, style);
  return text;
}

}  // namespace

std::string dot_text(std::string_view text) {
  std::string out;
  for (const char c : printable(text)) {
    if (c == '"' || c == '\\') out += '\\';
    if (c == '&') out += "&amp;";  // or &lt; would be shown as <
    else out += c;
  }
  return out;
}

std::string dot(const BugView& view, const std::string& title) {
  const ExecutionRows rows(view, kMostBoxes);
  std::string label = dot_text(title);
  for (const std::string& remark : rows.remarks()) label += "\\n" + dot_text(remark);
  std::string text = fmt::format("digraph {{\n  charset=\"UTF-8\";\n  label=\"{}\";\n  labelloc=t;\n  newrank=true;\n  node [shape=box, fontname=\"monospace\"];\n", label);
  for (std::size_t thread = 0; thread < rows.threads(); ++thread) text += cluster(rows, thread, view.thread(static_cast<std::int32_t>(thread)));
  text += ladder(rows.lines().size());
  const RowEdges edges = rows.edges();
  text += arrows(edges.rf, "rf", "darkgreen", "solid");
  text += arrows(edges.forced_mo, "mo", "blue", "solid");
  text += arrows(edges.chosen_mo, "mo", "blue", "dashed");
  text += arrows(edges.fr, "fr", "red", "solid");
  text += arrows(edges.sw, "sw", "purple", "bold");
  return text + "}\n";
}

}  // namespace ordeal::report
