#include "tools/gdb.h"

#include <cstdlib>
#include <filesystem>
#include <stdexcept>

#include <fmt/format.h>

#include "report/headline.h"
#include "tools/child_process.h"
#include "tools/resources.h"
#include "tools/source_names.h"
#include "trace/run_result_format.h"

namespace ordeal::tools {
namespace {

std::string script() { return resource_directory() + "/share/ordeal/gdb.py"; }

/// What package/gdb.py tells when it stops: the kind of the bug, and its first line.
std::string told(const trace::RunResult& seen) {
  const auto names = source_names(seen.modules);
  const trace::Bug& bug = seen.bugs.front();
  return fmt::format("{}\n{}", trace::word(bug.kind), report::headline(report::BugView(bug, *names)));
}

/// An execution of random testing may have several races: the place that tells which one.
std::uint32_t place_of_race(const trace::Bug& bug) {
  if (bug.kind != trace::BugKind::kDataRace || bug.parties.empty() || bug.parties.front().stack.empty()) return 0;
  return static_cast<std::uint32_t>(bug.parties.front().stack.front());
}

}  // namespace

std::string require_gdb() {
  const std::string gdb = find_program("gdb");
  if (gdb.find('/') == std::string::npos)
    throw std::runtime_error("--gdb needs gdb, which is not installed; on Debian and Ubuntu: apt-get install gdb");
  if (!std::filesystem::exists(script()))
    throw std::runtime_error(fmt::format("the script for gdb is not there: {}; install Ordeal again", script()));
  return gdb;
}

void become_gdb(CheckedRun run, const trace::RunResult& seen, const std::vector<std::string>& arguments) {
  const trace::Bug& bug = seen.bugs.front();
  run.options += fmt::format(":debug={:x}:isolate=0:time=0", place_of_race(bug));
  if (bug.kind != trace::BugKind::kNoProgress) run.options += ":watchdog=0";  // people take their time
  setenv("ORDEAL_GDB", told(seen).c_str(), 1);
  std::vector<std::string> command{require_gdb(), "-q", "-x", script()};
  command.insert(command.end(), arguments.begin(), arguments.end());
  command.emplace_back("--args");
  become_debugger(command, run);
}

}  // namespace ordeal::tools
