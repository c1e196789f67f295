#include "tools/run_report.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <set>
#include <stdexcept>

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "analysis/simplify.h"
#include "report/check_json.h"
#include "report/check_report.h"
#include "tools/exit_code.h"
#include "tools/program_cache.h"
#include "tools/source_names.h"
#include "trace/run_result_format.h"

namespace ordeal::tools {
namespace {

namespace fs = std::filesystem;

std::size_t terminal_width() {
  winsize size{};
  return ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 100;
}

bool wants_colour(const std::string& when) {
  if (when != "auto") return when == "always";
  const char* none = std::getenv("NO_COLOR");
  return isatty(STDOUT_FILENO) != 0 && (none == nullptr || *none == '\0');
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

/// A name of a test as a part of a file's name.
std::string file_part(std::string test) {
  for (char& letter : test)
    if (std::isalnum(static_cast<unsigned char>(letter)) == 0 && letter != '.' && letter != '_') letter = '-';
  constexpr std::size_t kMost = 100;
  return test.empty() ? "" : test.substr(0, kMost) + "-";
}

std::string free_name(const std::string& folder, const std::string& program, const std::string& test,
                      std::string_view kind, const std::set<std::string>& taken) {
  const std::string start =
      fmt::format("{}ordeal-{}-{}{}", folder, fs::path(program).filename().string(), file_part(test), kind);
  for (int number = 1; number < 1000; ++number) {
    const std::string file = number == 1 ? start + ".replay" : fmt::format("{}-{}.replay", start, number);
    if (!taken.contains(file) && may_write(file, program)) return file;
  }
  throw std::runtime_error(fmt::format("there are a thousand files {}….replay; remove some", start));
}

report::CheckOptions shown_options(const ReportOptions& options) {
  report::CheckOptions shown;
  shown.program = options.test.empty() ? options.program : options.test;
  shown.replays = options.replay_files;
  shown.width = terminal_width();
  shown.length = options.full ? report::Length::kFull : report::Length::kCut;
  shown.sc = options.sc == ReportOptions::Sc::kNo ? report::ScOfBugs::kNo : options.sc == ReportOptions::Sc::kOfReported ? report::ScOfBugs::kYes : report::ScOfBugs::kBesideAll;
  shown.colour = wants_colour(options.color) ? report::Colour::kYes : report::Colour::kNo;
  return shown;
}

}  // namespace

void print(const std::string& text) {
  if (!(std::cout << text).flush()) throw std::runtime_error("cannot write to standard output");
}

void count_interleavings(trace::RunResult& result, const ReportOptions& options) {
  if (options.sc != ReportOptions::Sc::kOfReported) return;
  result.sc = trace::ScCounts();
  for (const trace::Bug& bug : result.bugs) {
    if (bug.trace.events.empty()) continue;
    const analysis::Sc answer = analysis::simplify(bug.trace).sc;
    ++(answer == analysis::Sc::kYes ? result.sc->sc : answer == analysis::Sc::kNo ? result.sc->not_sc : result.sc->undecided);
  }
}

int judge_interleavings(const trace::RunResult& result, const ReportOptions& options, int exit_code) {
  if (!options.require_sc || exit_code != kFine || !result.sc) return exit_code;
  return result.sc->not_sc > 0 ? kBug : result.sc->undecided > 0 ? kBounded : kFine;
}

void note_newer_sources(trace::RunResult& result) {
  if (result.modules.empty()) return;
  const auto names = source_names(result.modules);
  std::set<std::string> files;
  for (const trace::Bug& bug : result.bugs) {
    for (const trace::TraceEvent& event : bug.trace.events) files.insert(names->place(event.stack).file);
    for (const trace::Party& party : bug.parties) files.insert(names->place(party.stack).file);
  }
  std::error_code unknown;
  const auto built = fs::last_write_time(result.modules.front().path, unknown);
  if (unknown) return;
  for (const std::string& file : files) {
    std::error_code error;
    const auto written = file.empty() ? built : fs::last_write_time(file, error);
    if (!error && written > built) result.notes.push_back(fmt::format("'{}' is newer than the program, which is the one that was {}: lines may have moved", file, result.strategy.empty() ? "checked" : "tested"));
  }
}

bool shows_executions(const ReportOptions& options) { return !options.quiet || !options.files.html.empty() || !options.files.dot.empty(); }

void print_report(const trace::RunResult& result, const ReportOptions& options) {
  const auto names = source_names(result.modules);
  const report::CheckOptions shown = shown_options(options);
  if (options.json)
    print(report::check_json(result, *names, shown));
  else if (options.quiet)
    print(report::verdict_text(result, *names, shown));
  else
    print(report::check_report(result, *names, shown));
}

std::string json_report(const trace::RunResult& result, const ReportOptions& options) {
  return report::check_json(result, *source_names(result.modules), shown_options(options));
}

std::string coloured_verdict(trace::Verdict verdict, const ReportOptions& options) {
  return report::verdict_word(verdict, shown_options(options));
}

void write_file(const std::string& name, const std::string& text, const std::string& what) {
  std::ofstream stream(name, std::ios::binary | std::ios::trunc);
  if (!stream || !(stream << text).flush()) throw std::runtime_error(fmt::format("cannot write {} '{}': {}", what, name, std::strerror(errno)));
}

std::string read_file(const std::string& name) {
  std::error_code ignored;
  if (fs::is_directory(name, ignored)) throw std::runtime_error(fmt::format("cannot read '{}': it is a folder", name));
  std::ifstream file(name, std::ios::binary);
  std::string text;
  if (file) text.assign(std::istreambuf_iterator<char>(file), {});
  if (!file) throw std::runtime_error(fmt::format("cannot read '{}': {}", name, std::strerror(errno)));
  return text;
}

trace::RunResult any_result_in(const std::string& name, const std::string& text) {
  try {
    return trace::read_run_result(text);
  } catch (const trace::FormatError& error) {
    throw std::runtime_error(fmt::format("'{}' is no replay file: {}", name, error.what()));
  }
}

trace::RunResult result_in(const std::string& name, const std::string& text) {
  trace::RunResult result = any_result_in(name, text);
  if (result.bugs.empty()) throw std::runtime_error(fmt::format("'{}' has no bug to replay", name));
  return result;
}

std::string write_replay_file(trace::RunResult result, const std::string& program, const std::string& test,
                              const std::string& chosen, const std::set<std::string>& taken) {
  result.bugs.resize(1);
  result.kept_turns.clear();  // of the search, not of this execution
  result.bugs.front().trace.program = fs::absolute(program).string();
  const char* temporary = std::getenv("TMPDIR");
  const std::string folder =
      access(".", W_OK) == 0 ? "" : std::string(temporary != nullptr && *temporary != '\0' ? temporary : "/tmp") + "/";
  const std::string file =
      chosen.empty() ? free_name(folder, program, test, trace::word(result.bugs.front().kind), taken) : chosen;
  std::ofstream stream(file, std::ios::binary);
  if (!(stream << trace::write(result)).flush())
    throw std::runtime_error(fmt::format("cannot write the replay file '{}'", file));
  ProgramCache::keep_for_replay(result.bugs.front().trace.program);
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
