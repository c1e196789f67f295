#include "report/execution_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

namespace ordeal::report {

using model::EventKind;
using trace::TraceEvent;

namespace {

/// a, b, … z, a1, b1 …
std::string letter(std::size_t row) {
  std::string name(1, static_cast<char>('a' + row % 26));
  return row < 26 ? name : name + std::to_string(row / 26);
}

std::string order_name(model::MemoryOrder order) {
  constexpr std::array<const char*, 6> kNames{"", "rlx", "acq", "rel", "acq_rel", "sc"};
  return kNames[static_cast<std::size_t>(order)];
}

class Table {
 public:
  explicit Table(const trace::Trace& trace) : trace_(trace), width_(trace.threads.size()) {}

  std::string print() {
    for (std::size_t i = 0; i < trace_.events.size(); ++i) add(i);
    for (std::size_t t = 0; t < width_.size(); ++t) width_[t] = std::max(width_[t], trace_.threads[t].size());
    std::string text = "    ";
    for (std::size_t t = 0; t < width_.size(); ++t) text += fmt::format("  {:<{}}", trace_.threads[t], width_[t]);
    trim(text);
    for (std::size_t r = 0; r < rows_.size(); ++r) {
      text += fmt::format("{:>4}", letter(r));
      for (std::size_t t = 0; t < width_.size(); ++t) text += fmt::format("  {:<{}}", t == rows_[r].thread ? rows_[r].text : "", width_[t]);
      trim(text);
    }
    return text;
  }

 private:
  struct Row {
    std::size_t thread;
    std::string text;
  };

  static void trim(std::string& text) {
    text.erase(text.find_last_not_of(' ') + 1);
    text += "\n";
  }

  void add(std::size_t index) {
    const TraceEvent& event = trace_.events[index];
    if (event.kind == EventKind::kWrite && event.is_rmw) {  // one row with its read
      row_of_[{event.name.thread, event.name.index}] = rows_.size() - 1;
      return;
    }
    row_of_[{event.name.thread, event.name.index}] = rows_.size();
    const auto thread = static_cast<std::size_t>(event.name.thread);
    rows_.push_back({thread, describe(index)});
    width_[thread] = std::max(width_[thread], rows_.back().text.size());
  }

  std::string describe(std::size_t index) const {
    const TraceEvent& event = trace_.events[index];
    const std::string location = event.location >= 0 ? trace_.locations[static_cast<std::size_t>(event.location)].name : "";
    std::string order = order_name(event.order);
    if (!order.empty()) order = " " + order;
    switch (event.kind) {
      case EventKind::kWrite: return fmt::format("{} = {}{}", location, event.value, order);
      case EventKind::kFence: return "fence" + order;
      case EventKind::kRead: {
        std::string text = fmt::format("{}: {}", location, event.value);
        if (event.is_rmw) text += fmt::format(" -> {}", trace_.events[index + 1].value);
        else if (event.failed_spuriously) text += " (failed spuriously)";
        return text + order + ", from " + source(event);
      }
      case EventKind::kChoice: return fmt::format("choose {}", event.value);
      case EventKind::kCreate: return "create a thread";
      case EventKind::kJoin: return "join a thread";
      case EventKind::kNote: return "note";
      case EventKind::kWake: return "woken, by " + source(event);
      case EventKind::kAttempt: break;
    }
    return "";
  }

  std::string source(const TraceEvent& event) const {
    if (event.rf.thread < 0) return "init";
    const auto row = row_of_.find({event.rf.thread, event.rf.index});
    return row == row_of_.end() ? fmt::format("{} later", trace_.threads[static_cast<std::size_t>(event.rf.thread)]) : letter(row->second);
  }

  const trace::Trace& trace_;
  std::vector<std::size_t> width_;
  std::vector<Row> rows_;
  std::map<std::pair<int, int>, std::size_t> row_of_;
};

}  // namespace

std::string execution_table(const trace::Trace& trace) { return Table(trace).print(); }

}  // namespace ordeal::report
