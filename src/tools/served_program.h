// A program that is run under Ordeal many times: started once, it forks for each run (agent/serving.h).
#pragma once

#include <string>
#include <vector>

#include <sys/types.h>

#include "tools/child_process.h"

namespace ordeal::tools {

class ServedProgram {
 public:
  /// `child` has what a run needs but ORDEAL_OPTIONS. If it cannot be started, runs end with exit code 127.
  ServedProgram(const std::string& program, ChildOptions child);
  ~ServedProgram();
  ServedProgram(const ServedProgram&) = delete;
  ServedProgram& operator=(const ServedProgram&) = delete;

  /// `options` are for ORDEAL_OPTIONS.
  ChildEnd run(const std::string& options, const std::vector<std::string>& arguments) const;

 private:
  int socket_ = -1;
  std::vector<Child> child_;  // waited for at the end
};

}  // namespace ordeal::tools
