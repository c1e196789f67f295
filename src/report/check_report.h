// What `ordeal check` prints about a run, from its result: for a bug what, why, the execution, the program's output and how to
// see it again; for everything else a line or two.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "report/execution_table.h"
#include "report/source_names.h"
#include "trace/run_result.h"

namespace ordeal::report {

enum class Colour : std::uint8_t { kNo, kYes };
/// Of each execution with a bug: is it an interleaving, or which cycle forbids one? kYes: only these were counted; kBesideAll: all were.
enum class ScOfBugs : std::uint8_t { kNo, kYes, kBesideAll };

struct CheckOptions {
  std::string program;               // as the user calls it: "counter.cpp"
  std::vector<std::string> replays;  // the replay file of each bug, as far as there are
  std::size_t width = 100;           // of the terminal; taken as 80 … 160
  Length length = Length::kCut;
  Colour colour = Colour::kNo;
  ScOfBugs sc = ScOfBugs::kNo;
};

std::string check_report(const trace::RunResult& result, SourceNames& names, const CheckOptions& options);
/// "main", "thread 1".
std::string thread_name(std::int32_t thread);
/// "verified" in green, "bug" in red, "bounded" in yellow, …
std::string verdict_word(trace::Verdict verdict, const CheckOptions& options);
/// The notes of the result, and those that follow from it.
std::vector<std::string> all_notes(const trace::RunResult& result);
/// The last line(s): "verified: all 6 execution classes of counter.cpp, …".
std::string verdict_text(const trace::RunResult& result, SourceNames& names, const CheckOptions& options);

}  // namespace ordeal::report
