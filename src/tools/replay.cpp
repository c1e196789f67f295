#include "tools/replay.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <iostream>

#include <fmt/format.h>

#include "tools/check_options.h"
#include "tools/checked_run.h"
#include "tools/elf_file.h"
#include "tools/exit_code.h"
#include "tools/gdb.h"
#include "tools/output_files.h"
#include "tools/run_report.h"
#include "tools/stepping.h"

namespace ordeal::tools {
namespace {

struct Request {
  std::string file;
  bool gdb = false, step = false;
  Words gdb_arguments;
  ReportOptions report;
};

/// Whether it is the same: kind, and the places in the code.
bool is_same(const trace::Bug& a, const trace::Bug& b) {
  const auto places = [](const trace::Bug& bug) {
    std::vector<trace::CodeAddress> list;
    for (const trace::Party& party : bug.parties) list.push_back(party.stack.empty() ? 0 : party.stack.front());
    std::sort(list.begin(), list.end());
    return list;
  };
  return a.kind == b.kind && places(a) == places(b);
}

[[noreturn]] void did_not_happen(const std::string& file, const char* verb) {
  throw NotChecked(fmt::format("the bug of '{}' did not happen again: the program, or what it reads, has changed; run 'ordeal {}' again", file, verb));
}

/// Of random testing, the number tells which execution it is.
trace::RunResult run_sampled(const trace::RunResult& recorded, const CheckedRun& run, const std::string& file) {
  const trace::Bug& bug = recorded.bugs.front();
  trace::RunResult result = run_checked(run);
  if (result.verdict == trace::Verdict::kCannotCheck) return result;
  if (!recorded.modules.empty() && !result.modules.empty() && recorded.modules.front().build_id != result.modules.front().build_id)
    throw NotChecked(fmt::format("the program has changed since '{}' was written; run 'ordeal test' again", file));
  std::erase_if(result.bugs, [&](const trace::Bug& other) { return !is_same(bug, other); });
  if (result.bugs.empty()) did_not_happen(file, "test");
  return result;
}

trace::RunResult run_recorded(const CheckedRun& run, const std::string& file) {
  trace::RunResult result = run_checked(run);
  if (result.verdict == trace::Verdict::kVerified || result.verdict == trace::Verdict::kBounded) did_not_happen(file, "check");
  return result;
}

/// How the execution of this file is run. Throws NotChecked if the program is not there, or is no program of ours.
CheckedRun run_of(const trace::RunResult& recorded, const std::string& text) {
  CheckedRun run;
  run.program = recorded.bugs.front().trace.program;
  if (!std::filesystem::exists(run.program))
    throw NotChecked(fmt::format(
        "the program '{}' is not there any more; 'ordeal {}' builds it, and writes a new replay file", run.program, recorded.strategy.empty() ? "check" : "test"));
  if (const std::string why = why_not_checkable(run.program); !why.empty()) throw NotChecked(why);
  run.arguments = recorded.arguments;
  run.options = fmt::format("{}", fmt::join(recorded.options, ":"));
  run.mode = recorded.strategy.empty() ? "replay" : "test";
  if (recorded.strategy.empty()) run.replay = text;
  else run.options += fmt::format(":first={}:executions=1:time=0", recorded.bugs.front().shown);
  return run;
}

int replay(const Request& request) {
  const std::string text = read_file(request.file);
  const trace::RunResult recorded = result_in(request.file, text);
  if (request.gdb) require_gdb();
  const CheckedRun run = run_of(recorded, text);
  trace::RunResult result = recorded.strategy.empty() ? run_recorded(run, request.file) : run_sampled(recorded, run, request.file);
  note_newer_sources(result);
  const bool has_bug = result.verdict == trace::Verdict::kBug;
  if (request.gdb && has_bug) become_gdb(run, result, request.gdb_arguments);
  if (request.step && has_bug) {
    print_steps(result);
    for (const std::string& note : result.notes) std::cerr << "ordeal: " << note << "\n";
    return kBug;
  }
  ReportOptions report = request.report;
  report.replay_files = {request.file};
  report.program = std::filesystem::path(run.program).filename().string();
  count_interleavings(result, report);
  print_report(result, report);
  return write_outputs(result, report, exit_code_of(result.verdict));
}

}  // namespace

void add_replay_verb(CLI::App& app, int& exit_code, Words& words) {
  auto request = std::make_shared<Request>();
  CLI::App* verb = app.add_subcommand("replay", "Runs the execution of a replay file again")->group("Verbs");
  verb->add_option("FILE", request->file, "What 'ordeal check' or 'ordeal test' wrote when it found a bug")->required();
  verb->add_flag("--gdb", request->gdb, "Start gdb where it fails; what is behind -- goes to gdb");
  verb->add_flag("--step", request->step, "Print its operations one by one; on a terminal the next one comes with Enter")->excludes("--gdb");
  add_report_options(*verb, request->report);
  add_sc_of_bugs(*verb, request->report);
  verb->footer(
      "Exit codes:\n"
      "  1  the bug happened again\n"
      "  2  wrong usage, or no replay file\n"
      "  4  it did not happen again, or the program is gone\n"
      "With --gdb, if the bug happened again, that of gdb.");
  if (const auto rest = std::find(words.begin(), words.end(), "--"); !words.empty() && words.front() == "replay" && rest != words.end()) {
    request->gdb_arguments.assign(rest + 1, words.end());
    words.erase(rest, words.end());
  }
  verb->callback([request, &exit_code] {
    if (!request->gdb && !request->gdb_arguments.empty()) throw std::runtime_error("what is behind -- is for gdb: --gdb is missing");
    try {
      exit_code = replay(*request);
    } catch (const NotChecked& error) {
      std::cerr << "ordeal: " << error.what() << "\n";
      request->report.program = request->file;
      exit_code = write_failure(request->report, "", error.what(), kCannotCheck);
    }
  });
}

}  // namespace ordeal::tools
