// An execution as a table: one column a thread, one row an event, reads with what they read from.
//
//         main                thread 1
//      a  x = 1 rlx                              queue.cpp:12
//   >  b                      x: 0 rlx, from init (not a)  queue.cpp:20
//
// Only one column of a row is filled, so a text may reach into the columns to its right; when a table is too wide for the
// terminal, the columns move together until it fits, and only then texts are cut.
#pragma once

#include <cstddef>
#include <map>
#include <string>
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

 private:
  const trace::Trace& trace_;
  analysis::ShownOrder shown_;
  std::vector<std::size_t> events_, row_of_;
  std::map<std::pair<std::int32_t, std::int32_t>, std::size_t> index_;
};

/// A row for something that is no event of the trace: a plain access, a thread that waits. It is marked and has no letter.
struct ExtraRow {
  std::int32_t thread = 0;
  std::int32_t before = -1;  // so many events of its thread come before it; -1: it is the last of all
  std::string text;
  std::string place;
  std::ptrdiff_t party = -1;  // of the bug, that does it
};

/// What the trace itself does not say, by location, event and thread; all may be empty.
struct TableTexts {
  std::vector<std::string> locations;  // names
  std::vector<std::string> values;     // by event: as it is shown; empty: the number
  std::vector<std::string> places;     // by event: "queue.cpp:41"
  std::vector<std::size_t> marked;     // events
  std::vector<ExtraRow> extra;
  std::vector<bool> relevant;          // by event: what a long table shows (relevance.h); empty: all
};

enum class Length : std::uint8_t { kCut, kFull };
enum class Skipped : std::uint8_t { kHidden, kShown };  // "(not a)": the newer store that a read does not read

struct TableOptions {
  std::size_t width = 0;  // of the terminal; 0: any
  Length length = Length::kFull;
  Skipped skipped = Skipped::kHidden;
};

/// A row as data: of an event, or an extra row.
struct TableLine {
  std::size_t thread = 0;
  std::string letter, text, place;
  bool is_marked = false;
  bool is_aside = false;       // what main does with memory of its own while it is alone
  std::ptrdiff_t event = -1;   // the first of the row; -1: an extra row
  std::ptrdiff_t party = -1;   // of an extra row
};

/// All rows, in the order of the table.
std::vector<TableLine> execution_lines(const trace::Trace& trace, const TableTexts& texts);

std::string execution_table(const trace::Trace& trace);
std::string execution_table(const trace::Trace& trace, const TableTexts& texts, const TableOptions& options);

}  // namespace ordeal::report
