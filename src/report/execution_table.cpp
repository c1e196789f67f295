#include "report/execution_table.h"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "report/printable.h"
#include "report/table_columns.h"

namespace ordeal::report {

using model::EventKind;
using trace::TraceEvent;

namespace {

std::string order_name(model::MemoryOrder order) {
  constexpr std::array<const char*, 6> kNames{"", "rlx", "acq", "rel", "acq_rel", "sc"};
  return kNames[static_cast<std::size_t>(order)];
}

class Table {
 public:
  Table(const trace::Trace& trace, const TableTexts& texts, const TableOptions& options)
      : trace_(trace), texts_(texts), options_(options), rows_(trace) {}

  const std::vector<TableLine>& lines() {
    for (const std::string& name : trace_.threads) threads_.push_back(printable(name));
    find_time_with_threads();
    make_lines();
    return lines_;
  }

  std::string print() {
    lines();
    choose_lines();
    const TableColumns columns = lay_out();
    std::string text = columns.headings();
    trim(text);
    std::size_t left_out = 0;
    for (std::size_t i = 0; i < lines_.size(); ++i) {
      if (!is_shown(i)) {
        ++left_out;
        continue;
      }
      append_gap(text, left_out);
      left_out = 0;
      append_line(text, lines_[i], columns);
    }
    return text;
  }

 private:
  static constexpr std::ptrdiff_t kLast = PTRDIFF_MAX;  // behind all rows
  static void trim(std::string& text) {
    text.erase(text.find_last_not_of(' ') + 1);
    text += "\n";
  }
  static void append_gap(std::string& text, std::size_t left_out) {
    if (left_out > 0)
      text += fmt::format("   …  {} {} left out, --full shows all\n", left_out, left_out == 1 ? "row" : "rows");
  }
  std::string place_of(std::size_t index) const {
    return index < texts_.places.size() ? short_place(texts_.places[index]) : "";
  }
  static std::string short_place(const std::string& place) {
    constexpr std::size_t kLongest = 30;
    return cut_start(place, kLongest);
  }
  bool is_marked(std::size_t row) const {
    return std::any_of(texts_.marked.begin(), texts_.marked.end(),
                       [&](std::size_t index) { return rows_.row(index) == row; });
  }

  /// The rows of the events, each followed by the extra rows that belong there.
  void make_lines() {
    const auto add_extra = [&](std::ptrdiff_t row) {
      for (const ExtraRow& extra : texts_.extra)
        if (row_before(extra) == row)
          lines_.push_back({static_cast<std::size_t>(extra.thread), "", extra.text, short_place(extra.place), true, false, -1, extra.party});
    };
    add_extra(-1);
    for (std::size_t r = 0; r < rows_.events().size(); ++r) {
      const std::size_t index = rows_.events()[r];
      lines_.push_back({static_cast<std::size_t>(trace_.events[index].name.thread), rows_.letter(index),
                        describe(index), place_of(index), is_marked(r), is_aside(index), static_cast<std::ptrdiff_t>(index)});
      add_extra(static_cast<std::ptrdiff_t>(r));
    }
    add_extra(kLast);
  }
  /// The row that an extra row comes behind, as near to its thread's next event as can be; -1: none, kLast: all.
  std::ptrdiff_t row_before(const ExtraRow& extra) const {
    if (extra.before < 0) return kLast;
    const std::ptrdiff_t next = rows_.index_of({extra.thread, extra.before});
    if (next >= 0) return static_cast<std::ptrdiff_t>(rows_.row(static_cast<std::size_t>(next))) - 1;
    if (extra.before > 0) {
      const std::ptrdiff_t found = rows_.index_of({extra.thread, extra.before - 1});
      return found < 0 ? kLast : static_cast<std::ptrdiff_t>(rows_.row(static_cast<std::size_t>(found)));
    }
    for (std::size_t i = 0; i < trace_.events.size(); ++i)
      if (trace_.events[i].kind == EventKind::kCreate && trace_.events[i].other == extra.thread)
        return static_cast<std::ptrdiff_t>(rows_.row(i));
    return -1;
  }

  static void append_line(std::string& text, const TableLine& row, const TableColumns& columns) {
    std::string line = fmt::format("{}{:>3}  ", row.is_marked ? ">" : " ", row.letter);
    const std::size_t start = columns.start(row.thread), end = columns.place(), room = end > TableColumns::kGap + start ? end - TableColumns::kGap - start : 1;
    line = padded(line, start) + cut_end(row.text, room);
    if (!row.place.empty()) line = padded(line, end) + row.place;
    trim(line);
    text += line;
  }

  TableColumns lay_out() const {
    std::vector<TableColumns::Thread> threads;
    for (const std::string& name : threads_) threads.push_back({name});
    std::size_t longest_place = 0;
    for (std::size_t i = 0; i < lines_.size(); ++i) {
      if (!is_shown(i)) continue;
      TableColumns::Thread& thread = threads[lines_[i].thread];
      thread.has_rows = true;
      thread.widest = std::max(thread.widest, columns(lines_[i].text));
      longest_place = std::max(longest_place, columns(lines_[i].place));
    }
    return {std::move(threads), longest_place, options_.width};
  }

  /// What main does with memory of its own while it is alone, before its first thread or after its last: mostly libraries.
  bool is_aside(std::size_t index) const {
    const TraceEvent& event = trace_.events[index];
    const bool matters = index < texts_.relevant.size() && texts_.relevant[index];
    return is_alone(event) && event.location >= 0 && !is_shared_[static_cast<std::size_t>(event.location)] && !matters;
  }
  bool is_alone(const TraceEvent& event) const {
    return event.name.thread == 0 && (event.name.index < first_create_ || event.name.index > last_join_);
  }
  void find_time_with_threads() {
    std::ptrdiff_t alive = 0;
    for (const TraceEvent& event : trace_.events) {
      alive += event.kind == EventKind::kCreate ? 1 : event.kind == EventKind::kJoin ? -1 : 0;
      if (event.name.thread != 0) continue;
      if (event.kind == EventKind::kCreate) first_create_ = std::min(first_create_, event.name.index);
      if (event.kind == EventKind::kJoin) last_join_ = std::max(last_join_, event.name.index);
    }
    if (alive != 0 || first_create_ == INT32_MAX) last_join_ = INT32_MAX;
    is_shared_.assign(trace_.locations.size(), first_create_ == INT32_MAX);
    for (const TraceEvent& event : trace_.events)
      if (event.location >= 0 && !is_alone(event)) is_shared_[static_cast<std::size_t>(event.location)] = true;
  }
  /// Which lines are shown: all with --full, else no asides, of many what the bug is about, and of very many the first and the last.
  void choose_lines() {
    constexpr std::size_t kFirst = 6, kLast = 34, kMost = 50;
    std::vector<std::size_t> chosen;
    // What comes behind the bug is of no interest; but weak memory is explained by any row.
    std::size_t end = lines_.size();
    while (end > 0 && !lines_[end - 1].is_marked) --end;
    if (end == 0 || options_.length == Length::kFull || !rows_.is_interleaving()) end = lines_.size();
    for (std::size_t i = 0; i < end; ++i)
      if (options_.length == Length::kFull || lines_[i].is_marked || !lines_[i].is_aside) chosen.push_back(i);
    if (options_.length == Length::kCut) fold(chosen);
    is_shown_.assign(lines_.size(), false);
    const std::vector<bool> is_cited = by_row(texts_.cited);
    const auto is_needed = [&](const TableLine& line) {
      return line.is_marked || (line.event >= 0 && is_cited[rows_.row(static_cast<std::size_t>(line.event))]);
    };
    for (std::size_t i = 0; i < chosen.size(); ++i)
      is_shown_[chosen[i]] = options_.length == Length::kFull || chosen.size() <= kMost || i < kFirst || i + kLast >= chosen.size() ||
                             is_needed(lines_[chosen[i]]);
    for (std::size_t i = 1; i + 1 < end; ++i)  // to say that one is left out takes a line, too
      if (is_shown_[i - 1] && is_shown_[i + 1]) is_shown_[i] = true;
  }
  /// The two halves of a read-modify-write share a row.
  std::vector<bool> by_row(const std::vector<bool>& by_event) const {
    std::vector<bool> rows(rows_.events().size(), false);
    for (std::size_t i = 0; i < by_event.size(); ++i)
      if (by_event[i]) rows[rows_.row(i)] = true;
    return rows;
  }
  void fold(std::vector<std::size_t>& chosen) const {
    constexpr std::size_t kFew = 24;
    if (texts_.relevant.empty() || chosen.size() <= kFew) return;
    const std::vector<bool> matters = by_row(texts_.relevant);
    std::erase_if(chosen, [&](std::size_t line) {
      const std::ptrdiff_t event = lines_[line].event;
      return event >= 0 && !lines_[line].is_marked && !matters[rows_.row(static_cast<std::size_t>(event))];
    });
  }
  bool is_shown(std::size_t line) const { return is_shown_[line]; }

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
      case EventKind::kWrite:
        if (sort_of(event) == trace::LocationSort::kSemaphore) return fmt::format("makes semaphore {} with {}", location(event), event.value);
        if (sort_of(event) == trace::LocationSort::kBarrier) return fmt::format("makes barrier {}", location(event));
        return fmt::format("{} = {}{}", location(event), value(index), order);
      case EventKind::kFence: return "fence" + order;
      case EventKind::kRead: return describe_read(index, order);
      case EventKind::kChoice: return describe_choice(event);
      case EventKind::kCreate: return "create " + thread_name(event.other, "a thread");
      case EventKind::kJoin: return "join " + thread_name(event.other, "a thread");
      case EventKind::kNote: return "note";
      case EventKind::kWake: return "woken, by " + source(index);
      case EventKind::kAttempt: break;
    }
    return "";
  }
  static std::string describe_choice(const TraceEvent& event) {
    switch (event.about) {
      case model::ChoiceOf::kProgram: break;
      case model::ChoiceOf::kWakeUp: return event.value == 0 ? "waits" : "wakes up for no reason";
      case model::ChoiceOf::kTimeLimit: return event.value == 0 ? "waits" : "its time is up";
      case model::ChoiceOf::kTime: return event.value == 0 ? "little time passes" : "a long time passes";
      case model::ChoiceOf::kNotification: return event.value == 0 ? "waits" : "waits until it is notified";
      case model::ChoiceOf::kWaiter: return fmt::format("wakes waiter {} of several", event.value + 1);
    }
    return fmt::format("choose {}", event.value);
  }
  trace::LocationSort sort_of(const TraceEvent& event) const {
    return event.location < 0 ? trace::LocationSort::kMemory
                              : trace_.locations[static_cast<std::size_t>(event.location)].sort;
  }
  /// The second half of a read-modify-write; -1: it is none.
  std::ptrdiff_t second_half(std::size_t index) const {
    const TraceEvent& event = trace_.events[index];
    const std::ptrdiff_t second = rows_.index_of({event.name.thread, event.name.index + 1});
    return second >= 0 && Rows::are_halves(event, trace_.events[static_cast<std::size_t>(second)]) ? second : -1;
  }
  std::string describe_mutex(std::size_t index) const {
    const TraceEvent& event = trace_.events[index];
    const std::ptrdiff_t second = second_half(index);
    if (second < 0) return fmt::format("fails to lock {}", location(event));
    const model::Value before = event.value, after = trace_.events[static_cast<std::size_t>(second)].value;
    if (after % 2 == 0) return describe_unlock(location(event), before, after);
    const std::ptrdiff_t source = rows_.index_of(event.rf);
    const char* how = before == 0 ? "" : before == kLeftByEnded ? ", whose holder has ended" : before == kLost ? ", which is lost" : " again";
    return fmt::format("locks {}{}{}", location(event), how, source < 0 ? "" : ", after " + this->source(index));
  }
  /// States of a robust mutex that nobody holds (src/runtime/sync.h).
  static constexpr model::Value kLeftByEnded = 2, kLost = 4;
  static std::string describe_unlock(const std::string& mutex, model::Value before, model::Value after) {
    if (after == kLeftByEnded) return "ends, and holds " + mutex;
    if (after != kLost) return "unlocks " + mutex;
    return before == kLost + 1 ? "does not get " + mutex : "unlocks " + mutex + ", not consistent: it is lost";
  }
  /// A read-write lock.
  std::string describe_shared(std::size_t index) const {
    const TraceEvent& event = trace_.events[index];
    const std::ptrdiff_t second = second_half(index);
    if (second < 0) return fmt::format("fails to lock {}", location(event));
    const model::Value before = event.value, after = trace_.events[static_cast<std::size_t>(second)].value;
    const char* reading = before == 1 || after == 1 ? "" : " for reading";
    if (after < before) return fmt::format("unlocks {}{}", location(event), before == 1 ? "" : ", read");
    return fmt::format("locks {}{}{}", location(event), reading, rows_.index_of(event.rf) < 0 ? "" : ", after " + source(index));
  }
  std::string describe_semaphore(std::size_t index) const {
    const TraceEvent& event = trace_.events[index];
    const std::ptrdiff_t second = second_half(index);
    if (second < 0) return fmt::format("semaphore {} has {}, from {}", location(event), event.value, source(index));
    const model::Value after = trace_.events[static_cast<std::size_t>(second)].value;
    return fmt::format("{} {}: {} -> {}{}", after > event.value ? "posts" : "takes", location(event), event.value, after,
                       rows_.index_of(event.rf) < 0 ? "" : ", after " + source(index));
  }
  std::string describe_condition(std::size_t index) const {
    const TraceEvent& event = trace_.events[index];
    const std::ptrdiff_t second = second_half(index);
    const std::string name = location(event);
    if (second < 0 && event.order == model::MemoryOrder::kAcquire) return fmt::format("destroys {}", name);
    if (event.value == 0 && (second < 0 || trace_.events[static_cast<std::size_t>(second)].value == 0))
      return fmt::format("notifies {}: nobody waits", name);
    if (second < 0) return fmt::format("notifies {}", name);
    const model::Value before = event.value, after = trace_.events[static_cast<std::size_t>(second)].value;
    if (after > before) return fmt::format("begins to wait for {}", name);
    return before - after == model::Value{1} << event.name.thread ? fmt::format("waits no more for {}", name)
                                                                  : fmt::format("notifies {}", name);
  }
  std::string describe_read(std::size_t index, const std::string& order) const {
    const TraceEvent& event = trace_.events[index];
    if (sort_of(event) == trace::LocationSort::kMutex) return describe_mutex(index);
    if (sort_of(event) == trace::LocationSort::kCondition) return describe_condition(index);
    if (sort_of(event) == trace::LocationSort::kSharedMutex) return describe_shared(index);
    if (sort_of(event) == trace::LocationSort::kSemaphore) return describe_semaphore(index);
    if (sort_of(event) == trace::LocationSort::kFiles)
      return event.order == model::MemoryOrder::kRelease ? "tells others by a file or a signal" : fmt::format("is told by a file or a signal{}", rows_.index_of(event.rf) < 0 ? "" : ", after " + source(index));
    if (sort_of(event) == trace::LocationSort::kBarrier)
      return fmt::format("arrives at {}{}", location(event), rows_.index_of(event.rf) < 0 ? "" : ", after " + source(index));
    std::string text = fmt::format("{}: {}", location(event), value(index));
    const std::ptrdiff_t second = second_half(index);
    if (second >= 0)
      text += fmt::format(" -> {}", value(static_cast<std::size_t>(second)));
    else if (event.failed_spuriously)
      text += " (failed spuriously)";
    text += order + ", from " + source(index);
    const std::ptrdiff_t skipped = rows_.skipped(index);
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
  std::vector<std::string> threads_;
  std::vector<TableLine> lines_;
  std::int32_t first_create_ = INT32_MAX, last_join_ = -1;  // among main's events
  std::vector<bool> is_shared_;                             // by location: used while there are threads
  std::vector<bool> is_shown_;                              // by line
};

}  // namespace

std::string execution_table(const trace::Trace& trace) { return execution_table(trace, {}, {}); }

std::string execution_table(const trace::Trace& trace, const TableTexts& texts, const TableOptions& options) {
  return Table(trace, texts, options).print();
}

std::vector<TableLine> execution_lines(const trace::Trace& trace, const TableTexts& texts) {
  const TableOptions options{0, Length::kFull};
  return Table(trace, texts, options).lines();
}

}  // namespace ordeal::report
