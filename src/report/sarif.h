// Bugs as SARIF 2.1.0 (OASIS), which code scanners exchange: a result a bug, its execution as a code flow with a thread flow a thread. The
// place of a row in the shown order is its executionOrder.
//
// What is no bug but must not be taken for a success (bounded, cannot check) is a notification of the invocation.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "report/source_names.h"
#include "trace/run_result.h"

namespace ordeal::report {

class Sarif {
 public:
  /// `version` is that of the tool.
  explicit Sarif(const std::string& version);
  ~Sarif();
  /// `program` is the program or the test; `replays` are the files of the bugs, as far as there are.
  void add(const trace::RunResult& result, SourceNames& names, const std::string& program, const std::vector<std::string>& replays);
  /// The whole file, valid UTF-8 whatever the program's names and output are.
  std::string text() const;

 private:
  struct Pieces;
  std::unique_ptr<Pieces> pieces_;
};

/// A path as a URI: relative, or "file:///…".
std::string file_uri(const std::string& path);

}  // namespace ordeal::report
