#include "tools/run_report.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <stdexcept>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include "tools/exit_code.h"
#include "trace/run_result_format.h"

namespace ordeal::tools {
namespace {

namespace fs = std::filesystem;

// The plain report below is all there is until report/check_report is merged: then these two functions are one call each.

std::string plain_text(const trace::RunResult& result, const ReportOptions& options) {
  std::string text;
  for (const trace::Bug& bug : result.bugs) text += fmt::format("{}: {}\n", trace::word(bug.kind), bug.message);
  if (!result.cannot_check.empty()) text += fmt::format("cannot check: {}\n", result.cannot_check);
  for (const std::string& bound : result.bounds) text += fmt::format("bounded: {}\n", bound);
  for (const std::string& note : result.notes) text += fmt::format("note: {}\n", note);
  if (!options.replay_command.empty()) text += fmt::format("replay: {}\n", options.replay_command);
  text += fmt::format("{}: {} executions, {} blocked, {:.3g} s, model {}\n", trace::word(result.verdict), result.executions,
                      result.blocked, result.seconds, result.model);
  return options.quiet ? text.substr(text.rfind('\n', text.size() - 2) + 1) : text;
}

std::string plain_json(const trace::RunResult& result, const ReportOptions& options) {
  nlohmann::json bugs = nlohmann::json::array();
  for (const trace::Bug& bug : result.bugs)
    bugs.push_back({{"kind", trace::word(bug.kind)},
                    {"message", bug.message},
                    {"count", bug.count},
                    {"replay", bugs.empty() ? options.replay_file : ""}});
  const nlohmann::json all = {{"verdict", trace::word(result.verdict)},
                              {"model", result.model},
                              {"executions", result.executions},
                              {"blocked", result.blocked},
                              {"seconds", result.seconds},
                              {"bounds", result.bounds},
                              {"notes", result.notes},
                              {"bugs", bugs}};
  return all.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

/// Whether this file may be replaced: it is not there, or it is a replay file of the same program.
bool may_write(const std::string& file, const std::string& program) {
  std::error_code error;
  if (!fs::exists(fs::symlink_status(file, error))) return true;
  std::ifstream stream(file, std::ios::binary);
  try {
    const trace::RunResult old = trace::read_run_result(std::string{std::istreambuf_iterator<char>(stream), {}});
    return !old.bugs.empty() && fs::path(old.bugs.front().trace.program).filename() == fs::path(program).filename();
  } catch (const std::exception&) {
    return false;
  }
}

std::string free_name(const std::string& folder, const std::string& program, std::string_view kind) {
  const std::string start = fmt::format("{}ordeal-{}-{}", folder, fs::path(program).filename().string(), kind);
  for (int number = 1; number < 1000; ++number) {
    const std::string file = number == 1 ? start + ".replay" : fmt::format("{}-{}.replay", start, number);
    if (may_write(file, program)) return file;
  }
  throw std::runtime_error(fmt::format("there are a thousand files {}….replay; remove some", start));
}

}  // namespace

void print_report(const trace::RunResult& result, const ReportOptions& options) {
  std::cout << (options.json ? plain_json(result, options) : plain_text(result, options));
  if (!std::cout.flush()) throw std::runtime_error("cannot write to standard output");
}

std::string write_replay_file(trace::RunResult result, const std::string& program, const std::string& chosen) {
  result.bugs.resize(1);
  result.bugs.front().trace.program = fs::absolute(program).string();
  const char* temporary = std::getenv("TMPDIR");
  const std::string folder =
      access(".", W_OK) == 0 ? "" : std::string(temporary != nullptr && *temporary != '\0' ? temporary : "/tmp") + "/";
  const std::string file = chosen.empty() ? free_name(folder, program, trace::word(result.bugs.front().kind)) : chosen;
  std::ofstream stream(file, std::ios::binary);
  if (!(stream << trace::write(result)).flush())
    throw std::runtime_error(fmt::format("cannot write the replay file '{}'", file));
  return file;
}

int exit_code_of(trace::Verdict verdict) {
  switch (verdict) {
    case trace::Verdict::kVerified:
    case trace::Verdict::kSampled: return kFine;
    case trace::Verdict::kBug: return kBug;
    case trace::Verdict::kBounded: return kBounded;
    case trace::Verdict::kCannotCheck: return kCannotCheck;
  }
  return kCannotCheck;
}

}  // namespace ordeal::tools
