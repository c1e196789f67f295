// What a litmus run prints: herd's text, a table for several tests, JSON.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "trace/run_result.h"

namespace ordeal::report {

/// A final value: a number, or the name of the location whose address it is.
using Cell = std::variant<std::int64_t, std::string>;

struct LitmusSummary {
  std::string name;
  std::string file;
  std::string model;
  bool load_buffering = false;
  std::string expectation;     // Allowed (exists), Forbidden (~exists), Required (forall)
  std::string condition;       // "exists (0:r0=1)"
  std::vector<std::string> columns;        // "0:r0", "x"
  std::vector<bool> column_is_memory;
  std::vector<std::vector<Cell>> states;   // sorted
  bool condition_holds = false;            // Ok or No
  std::uint64_t positive = 0, negative = 0;  // (class, final memory) pairs that satisfy the proposition, that do not
  std::uint64_t executions = 0;
  std::uint64_t blocked = 0;
  bool racy = false;
  std::string race;
  std::optional<trace::ScCounts> sc;       // if it was asked for
  std::vector<std::string> bounds;         // what cut the search; empty: nothing did
  double seconds = 0;
};

/// Sometimes, Never or Always.
std::string observation(const LitmusSummary& summary);
std::string herd_text(const LitmusSummary& summary);
std::string json_line(const LitmusSummary& summary);
std::string table(const std::vector<LitmusSummary>& summaries);
/// "SC analysis: 12 executions are interleavings of the threads, 3 are not", a line.
std::string sc_line(const trace::ScCounts& counts, std::string_view of = "");
/// "1,234,567".
std::string grouped(std::uint64_t number);
/// "1 class", "2 classes".
std::string plural(std::uint64_t count, const std::string& noun);
/// "12.3 ms": three digits, a fitting unit.
std::string duration(double seconds);

}  // namespace ordeal::report
