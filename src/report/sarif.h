// Bugs as SARIF 2.1.0 (OASIS), which code scanners exchange: a result a bug, its execution as a code flow with a thread flow a thread. The
// place of a row in the shown order is its executionOrder.
//
// What is no bug but must not be taken for a success (bounded, cannot check) is a notification of the invocation.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "report/source_names.h"
#include "trace/run_result.h"

namespace ordeal::report {

/// What a litmus test shows that was not expected.
struct LitmusFinding {
  std::string rule;  // "condition", "data-race", "not-sc"
  std::string text;  // one line
  std::string test;
  std::string file;  // empty: none, it was read from standard input
  std::uint32_t line = 0;
  std::vector<std::pair<std::uint32_t, std::string>> others;  // lines that take part, too, and what happens there
  trace::Bug bug;    // with the execution that shows it
};

class Sarif {
 public:
  /// `version` is that of the tool.
  explicit Sarif(const std::string& version);
  ~Sarif();
  /// `program` is the program or the test; `replays` are the files of the bugs, as far as there are.
  void add(const trace::RunResult& result, SourceNames& names, const std::string& program, const std::vector<std::string>& replays);
  void add(const LitmusFinding& finding);
  /// What is no result. `is_failure`: the tool could not do what it was asked for.
  void notify(const std::string& text, bool is_failure);
  /// The whole file, valid UTF-8 whatever the program's names and output are.
  std::string text() const;

 private:
  struct Pieces;
  std::unique_ptr<Pieces> pieces_;
};

/// A path as a URI: relative, or "file:///…".
std::string file_uri(const std::string& path);

}  // namespace ordeal::report
