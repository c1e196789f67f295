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
#include <string>
#include <vector>

#include "report/rows.h"
#include "trace/trace.h"

namespace ordeal::report {

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
  std::vector<bool> cited;             // by event: what a very long one shows, too
};

enum class Length : std::uint8_t { kCut, kFull };

struct TableOptions {
  std::size_t width = 0;  // of the terminal; 0: any
  Length length = Length::kFull;
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
