// The ignore list: functions and files whose plain accesses are not checked for races. The syntax is that of Clang's special case
// lists:
//
//   # a comment
//   fun:Statistics::*        the function that makes the access, as reports name it
//   src:*/third_party/*      the file it is written in
//
// Only debug information knows the names, and only the tested process meets the accesses: a race that is found and on the list is
// added to the places that the process leaves out, and the search begins anew. Cost: a search for each such place.
#pragma once

#include <string>
#include <vector>

#include "trace/run_result.h"

namespace ordeal::tools {

class IgnoreList {
 public:
  IgnoreList() = default;
  /// Throws std::runtime_error: no such file, or a line that is not understood.
  explicit IgnoreList(const std::string& file);
  bool is_empty() const { return entries_.empty(); }
  bool has_function(const std::string& name) const { return has("fun", name); }
  bool has_source(const std::string& file) const { return has("src", file); }
  /// Adds the places of races that are on the list. False: there is none.
  bool add_places(const trace::RunResult& result);
  /// For ORDEAL_OPTIONS, with a colon before it; empty: nothing is left out yet.
  std::string option() const;

 private:
  struct Entry {
    std::string kind, pattern;
  };
  bool has(const std::string& kind, const std::string& name) const;

  std::vector<Entry> entries_;
  std::vector<trace::CodeAddress> places_;
};

}  // namespace ordeal::tools
