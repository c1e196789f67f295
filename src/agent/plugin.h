// Strategies of users (include/ordeal/strategy.h): the file is loaded into the tested process before the first execution.
#pragma once

#include <memory>
#include <string>

#include "sample/strategy.h"

namespace ordeal::agent {

class Plugin {
 public:
  /// REQUIRES: called once, before Snapshot::take (its variables are put back before each execution) and after HiddenCode::find (it is not
  /// the program's code).
  static void load(const std::string& file);
  /// nullptr: it could not be loaded, and `error` says why.
  static std::unique_ptr<sample::Strategy> strategy();
  static const std::string& error();
  /// What it has answered that it must not; empty: nothing.
  static std::string fault();
};

}  // namespace ordeal::agent
