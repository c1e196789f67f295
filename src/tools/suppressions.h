// Bugs that the user does not want to hear of: a file in ThreadSanitizer's syntax.
//
//   # a comment
//   race:Statistics::count      races, if any frame of one of the two stacks has it: a part of the function's name, the file's
//                               or the module's; or a part of the variable's name. * is anything, ^ the begin, $ the end
//   race_top:count              the same for the innermost frames only
//   called_from_lib:libz.so     races of accesses that this library made
//   deadlock:lock_both          deadlocks
//   mutex:destroy               misuse of locks
//   thread: and signal: are accepted, and mean nothing here
//
// Applied to what was found, outside of the tested process.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "trace/run_result.h"

namespace ordeal::symbols {
class Symbols;
}

namespace ordeal::tools {

class Suppressions {
 public:
  /// Throws std::runtime_error: no such file, or a line that is not understood.
  explicit Suppressions(const std::string& file);
  /// Takes out the bugs that are suppressed, and notes it.
  void apply(trace::RunResult& result);

  /// The pattern of a line against a name.
  static bool matches(std::string pattern, const std::string& name);

 private:
  struct Entry {
    std::string kind, pattern;
    std::uint64_t bugs = 0;
  };
  bool suppresses(const Entry& entry, const trace::Bug& bug, symbols::Symbols& symbols, const trace::RunResult& result) const;

  std::string file_;
  std::vector<Entry> entries_;
};

/// A line for each bug that can be suppressed, each once: "race:Statistics::count".
std::vector<std::string> suggested_suppressions(const trace::RunResult& result);

}  // namespace ordeal::tools
