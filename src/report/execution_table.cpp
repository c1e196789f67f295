#include "report/execution_table.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "report/printable.h"
#include "report/row_order.h"

namespace ordeal::report {

using model::EventKind;
using trace::TraceEvent;

namespace {

std::string order_name(model::MemoryOrder order) {
  constexpr std::array<const char*, 6> kNames{"", "rlx", "acq", "rel", "acq_rel", "sc"};
  return kNames[static_cast<std::size_t>(order)];
}

bool are_halves(const TraceEvent& read, const TraceEvent& write) {
  return read.kind == EventKind::kRead && read.is_rmw && write.kind == EventKind::kWrite && write.is_rmw &&
         read.name.thread == write.name.thread && read.name.index + 1 == write.name.index;
}

class Table {
 public:
  Table(const trace::Trace& trace, const TableTexts& texts, const TableOptions& options)
      : trace_(trace), texts_(texts), options_(options), rows_(trace) {}

  std::string print() {
    for (const std::string& name : trace_.threads) threads_.push_back(printable(name));
    for (const std::size_t index : rows_.events()) lines_.push_back(describe(index));
    lay_out();
    std::string text(kLeft, ' ');
    for (std::size_t t = 0; t < threads_.size(); ++t)
      text = padded(text, start_[t]) +
             cut_end(threads_[t], t + 1 < threads_.size() ? start_[t + 1] - start_[t] - kGap : columns(threads_[t]));
    trim(text);
    const std::vector<bool> is_shown = rows_to_show();
    std::size_t left_out = 0;
    for (std::size_t r = 0; r < lines_.size(); ++r) {
      if (!is_shown[r]) {
        ++left_out;
        continue;
      }
      append_gap(text, left_out);
      left_out = 0;
      append_row(text, r);
    }
    return text;
  }

 private:
  static constexpr std::size_t kLeft = 6, kGap = 2;

  static void trim(std::string& text) {
    text.erase(text.find_last_not_of(' ') + 1);
    text += "\n";
  }
  static void append_gap(std::string& text, std::size_t left_out) {
    if (left_out > 0)
      text += fmt::format("   …  {} {} left out, --full shows all\n", left_out, left_out == 1 ? "row" : "rows");
  }
  std::size_t thread_of(std::size_t row) const {
    return static_cast<std::size_t>(trace_.events[rows_.events()[row]].name.thread);
  }
  std::string place_of(std::size_t row) const {
    constexpr std::size_t kLongest = 30;
    const std::size_t index = rows_.events()[row];
    return index < texts_.places.size() ? cut_start(texts_.places[index], kLongest) : "";
  }
  bool is_marked(std::size_t row) const {
    return std::any_of(texts_.marked.begin(), texts_.marked.end(),
                       [&](std::size_t index) { return rows_.row(index) == row; });
  }

  void append_row(std::string& text, std::size_t row) const {
    std::string line = fmt::format("{}{:>3}  ", is_marked(row) ? ">" : " ", rows_.letter(rows_.events()[row]));
    const std::size_t start = start_[thread_of(row)], room = place_ > kGap + start ? place_ - kGap - start : 1;
    line = padded(line, start) + cut_end(lines_[row], room);
    const std::string place = place_of(row);
    if (!place.empty()) line = padded(line, place_) + place;
    trim(line);
    text += line;
  }

  /// Where each thread's column and the places begin.
  void lay_out() {
    const std::size_t count = threads_.size();
    std::vector<std::size_t> width(count);
    for (std::size_t t = 0; t < count; ++t) width[t] = columns(threads_[t]);
    std::size_t longest_place = 0;
    for (std::size_t r = 0; r < lines_.size(); ++r) {
      width[thread_of(r)] = std::max(width[thread_of(r)], columns(lines_[r]));
      longest_place = std::max(longest_place, columns(place_of(r)));
    }
    std::size_t next = kLeft;
    for (std::size_t t = 0; t < count; ++t) {
      start_.push_back(next);
      next += width[t] + kGap;
    }
    place_ = next;
    const std::size_t room = options_.width > longest_place ? options_.width - longest_place : 0;
    if (options_.width == 0 || place_ - (longest_place == 0 ? kGap : 0) <= room || count == 0) return;
    move_together(width, std::max<std::size_t>(room, kLeft + kGap + 8 * count));
  }
  /// The widest step between columns with which every text ends before `end`.
  void move_together(const std::vector<std::size_t>& width, std::size_t end) {
    constexpr std::size_t kNarrowest = 8;
    place_ = end;
    for (std::size_t scale = 100;; scale -= 5) {
      std::size_t next = kLeft;
      bool fits = true;
      for (std::size_t t = 0; t < width.size(); ++t) {
        start_[t] = next;
        fits &= next + width[t] + kGap <= end;
        next += std::max((width[t] + kGap) * scale / 100, kNarrowest);
      }
      if (fits || scale == 0) return;
    }
  }

  std::vector<bool> rows_to_show() const {
    constexpr std::size_t kFirst = 6, kLast = 34, kMost = 50;
    std::vector<bool> is_shown(lines_.size(), true);
    if (options_.length == Length::kFull || lines_.size() <= kMost) return is_shown;
    for (std::size_t r = kFirst; r + kLast < lines_.size(); ++r) is_shown[r] = is_marked(r);
    return is_shown;
  }

  std::string value(std::size_t index) const {
    if (index < texts_.values.size() && !texts_.values[index].empty()) return texts_.values[index];
    return std::to_string(trace_.events[index].value);
  }
  std::string thread_name(std::int32_t thread, const char* unknown) const {
    return thread >= 0 && static_cast<std::size_t>(thread) < threads_.size()
               ? threads_[static_cast<std::size_t>(thread)]
               : unknown;
  }
  std::string location(const TraceEvent& event) const {
    if (event.location < 0) return "";
    const auto number = static_cast<std::size_t>(event.location);
    return number < texts_.locations.size() ? texts_.locations[number] : printable(trace_.locations[number].name);
  }

  std::string describe(std::size_t index) const {
    const TraceEvent& event = trace_.events[index];
    std::string order = order_name(event.order);
    if (!order.empty()) order = " " + order;
    switch (event.kind) {
      case EventKind::kWrite: return fmt::format("{} = {}{}", location(event), value(index), order);
      case EventKind::kFence: return "fence" + order;
      case EventKind::kRead: return describe_read(index, order);
      case EventKind::kChoice: return fmt::format("choose {}", event.value);
      case EventKind::kCreate: return "create " + thread_name(event.other, "a thread");
      case EventKind::kJoin: return "join " + thread_name(event.other, "a thread");
      case EventKind::kNote: return "note";
      case EventKind::kWake: return "woken, by " + source(index);
      case EventKind::kAttempt: break;
    }
    return "";
  }
  std::string describe_read(std::size_t index, const std::string& order) const {
    const TraceEvent& event = trace_.events[index];
    std::string text = fmt::format("{}: {}", location(event), value(index));
    const std::ptrdiff_t second = rows_.index_of({event.name.thread, event.name.index + 1});
    if (second >= 0 && are_halves(event, trace_.events[static_cast<std::size_t>(second)]))
      text += fmt::format(" -> {}", value(static_cast<std::size_t>(second)));
    else if (event.failed_spuriously)
      text += " (failed spuriously)";
    text += order + ", from " + source(index);
    const std::ptrdiff_t skipped = options_.skipped == Skipped::kShown ? rows_.skipped(index) : -1;
    return skipped < 0 ? text : text + fmt::format(" (not {})", rows_.letter(static_cast<std::size_t>(skipped)));
  }
  std::string source(std::size_t index) const {
    const TraceEvent& event = trace_.events[index];
    const std::ptrdiff_t source = rows_.index_of(event.rf);
    if (source < 0) return "init";
    const auto found = static_cast<std::size_t>(source);
    if (rows_.row(found) < rows_.row(index)) return rows_.letter(found);
    return thread_name(event.rf.thread, "a thread") + " later";
  }

  const trace::Trace& trace_;
  const TableTexts& texts_;
  const TableOptions& options_;
  Rows rows_;
  std::vector<std::string> threads_, lines_;
  std::vector<std::size_t> start_;
  std::size_t place_ = 0;
};

}  // namespace

Rows::Rows(const trace::Trace& trace) : trace_(trace), row_of_(trace.events.size()), skipped_(trace.events.size(), -1) {
  const std::vector<std::size_t> order = row_order(trace);
  for (const std::size_t index : order) {
    if (events_.empty() || !are_halves(trace.events[events_.back()], trace.events[index])) events_.push_back(index);
    row_of_[index] = events_.size() - 1;
    index_[{trace.events[index].name.thread, trace.events[index].name.index}] = index;
  }
  find_skipped(order);
}

std::string Rows::letter(std::size_t index) const {
  constexpr std::size_t kLetters = 26;
  const std::size_t row = row_of_[index];
  std::string name(1, static_cast<char>('a' + row % kLetters));
  return row < kLetters ? name : name + std::to_string(row / kLetters);
}

std::ptrdiff_t Rows::index_of(const trace::EventName& name) const {
  const auto found = index_.find({name.thread, name.index});
  return found == index_.end() ? -1 : static_cast<std::ptrdiff_t>(found->second);
}

void Rows::find_skipped(const std::vector<std::size_t>& order) {
  std::vector<std::ptrdiff_t> last(trace_.locations.size(), -1);  // write above, by location
  for (const std::size_t index : order) {
    const TraceEvent& event = trace_.events[index];
    if (event.location < 0) continue;
    std::ptrdiff_t& newest = last[static_cast<std::size_t>(event.location)];
    if (event.kind == EventKind::kWrite) newest = static_cast<std::ptrdiff_t>(index);
    if (event.kind != EventKind::kRead) continue;
    const std::ptrdiff_t source = index_of(event.rf);
    const bool is_later = source >= 0 && row_of_[static_cast<std::size_t>(source)] >= row_of_[index];
    if (newest != source && !is_later) skipped_[index] = newest;
  }
}

std::string execution_table(const trace::Trace& trace) { return execution_table(trace, {}, {}); }

std::string execution_table(const trace::Trace& trace, const TableTexts& texts, const TableOptions& options) {
  return Table(trace, texts, options).print();
}

}  // namespace ordeal::report
