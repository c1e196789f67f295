// One HTML file that shows executions: the viewer (viewer/, bundled) with the data put into it.
//
// The data is JSON; viewer/src/data.ts has its fields, viewer/README.md what changes its version. All of it is ASCII, with <, > and & as
// escapes, so no name of a program can end the element that it stands in.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "report/page_execution.h"
#include "report/source_names.h"
#include "trace/run_result.h"

namespace ordeal::report {

/// A source file as it is now.
struct SourceText {
  bool is_there = false;
  std::string text;
  std::string remark;  // "It is newer than the program …"; may be empty
};

struct PageOptions {
  std::string tool;     // "ordeal 0.1.0"
  std::string program;  // as the user calls it
  std::function<SourceText(const std::string& file)> read_source;
};

class Page {
 public:
  explicit Page(PageOptions options);
  ~Page();
  /// Each bug, then each execution that was asked for. `title_prefix` says of which test; `replays` are files.
  void add(const trace::RunResult& result, SourceNames& names, const std::vector<std::string>& replays, const std::string& title_prefix = "");
  /// An execution without a bug; `file` is what its lines are of.
  void add(const trace::Trace& trace, const std::string& title, const std::string& file);
  /// The last lines of the report.
  void set_summary(const std::string& verdict, const std::string& model, const std::string& text);

  /// Whether there is an execution with an event.
  bool is_empty() const;
  /// The whole file. REQUIRES: not empty. Throws std::runtime_error if the template has no place for data.
  std::string html(const std::string& page_template) const;
  /// The data as JSON, as it stands in the file.
  std::string data() const;

 private:
  struct Pieces;
  void add_execution_json(const BugView& view, PageJson json, SourceNames& names, const std::string& file);
  PageJson source_json(const std::string& file, const std::set<std::uint32_t>& lines) const;

  PageOptions options_;
  std::unique_ptr<Pieces> pieces_;
};

}  // namespace ordeal::report
