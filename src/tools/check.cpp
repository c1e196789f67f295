#include "tools/check.h"

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <stdexcept>
#include <utility>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <unistd.h>

#include "tools/check_options.h"
#include "tools/check_tests.h"
#include "tools/checked_run.h"
#include "tools/elf_file.h"
#include "tools/exit_code.h"
#include "tools/ignore_list.h"
#include "tools/program_build.h"
#include "tools/run_report.h"
#include "tools/test_framework.h"
#include "tools/usage.h"

namespace ordeal::tools {
namespace {

namespace fs = std::filesystem;

struct Request {
  Words files;
  Words compiler_flags;
  Words program_arguments;
  std::string compiler;
  std::string replay_file;
  std::string ignore_file;
  CheckOptions search;
  ReportOptions report;
};

/// Sources are compiled; a program is taken as it is.
BuiltProgram program_of(const Request& request) {
  const auto sources = std::count_if(request.files.begin(), request.files.end(), is_source_file);
  if (sources == 0 && request.files.size() == 1) {
    if (!fs::exists(request.files.front()))
      throw std::runtime_error(fmt::format("there is no file '{}'", request.files.front()));
    if (fs::is_directory(request.files.front()))
      throw std::runtime_error(fmt::format("'{}' is a folder; give C or C++ source files, or a program", request.files.front()));
    return {fs::absolute(request.files.front()).string(), "", true, nullptr};
  }
  for (const std::string& file : request.files)
    if (!is_source_file(file))
      throw std::runtime_error(fmt::format(
          "'{}' is no C or C++ source file; objects and libraries go behind --, with the compiler flags", file));
  BuiltProgram program = build_program({request.files, request.compiler_flags, request.compiler});
  if (!request.report.quiet)
    std::cerr << fmt::format("ordeal: compiled with {}{}\n", program.command, program.was_there ? " (before)" : "");
  return program;
}

trace::RunResult run_search(const Request& request, const BuiltProgram& program, const Words& arguments) {
  CheckedRun run;
  run.program = program.path;
  run.arguments = arguments;
  run.progress = !request.report.quiet && isatty(STDERR_FILENO) != 0;
  IgnoreList ignored = request.ignore_file.empty() ? IgnoreList() : IgnoreList(request.ignore_file);
  trace::RunResult result;
  do {
    run.options = environment_text(request.search) + ignored.option();
    result = run_checked(run);
  } while (!ignored.is_empty() && ignored.add_places(result));
  result.options = {run.options};
  result.arguments = run.arguments;
  return result;
}

/// Writes a replay file, and gives its name; empty: there is none.
class ReplayWriter {
 public:
  ReplayWriter(const Request& request, const BuiltProgram& program) : program_(program), chosen_(request.replay_file) {}
  std::string write(const trace::RunResult& result, const std::string& test) {
    if (result.bugs.empty() || program_.folder) return "";  // the program goes with its folder
    try {
      return write_replay_file(result, program_.path, test, std::exchange(chosen_, ""));
    } catch (const std::runtime_error& error) {
      std::cerr << "ordeal: " << error.what() << "\n";
      return "";
    }
  }

 private:
  const BuiltProgram& program_;
  std::string chosen_;  // for the first file
};

int check(const Request& request) {
  const BuiltProgram program = program_of(request);
  if (const std::string why = why_not_checkable(program.path); !why.empty()) throw NotChecked(why);
  ReportOptions report = request.report;
  report.program = request.files.front();
  ReplayWriter replays(request, program);
  const auto run = [&](const Words& arguments) { return run_search(request, program, arguments); };
  if (std::vector<TestCase> tests = tests_of(program.path, request.program_arguments); tests.size() > 1) {
    const auto write_replay = [&](const trace::RunResult& result, const std::string& test) {
      return replays.write(result, test);
    };
    return check_tests({std::move(tests), report, run, write_replay});
  }
  const trace::RunResult result = run(request.program_arguments);
  report.replay_file = replays.write(result, "");
  print_report(result, report);
  return exit_code_of(result.verdict);
}

int check_or_complain(const Request& request) {
  try {
    return check(request);
  } catch (const CompileError&) {
    return kUsage;  // the compiler has said why
  } catch (const NotChecked& error) {
    std::cerr << "ordeal: " << error.what() << "\n";
    return kCannotCheck;
  }
}

void add_options(CLI::App& verb, const std::shared_ptr<Request>& request) {
  verb.add_option("FILE", request->files,
                  "C or C++ source files, or one program built by 'ordeal c++' with its arguments")
      ->required()
      ->option_text("...");
  add_search_options(verb, request->search);
  verb.add_option("--compiler", request->compiler,
                  "The compiler (default: $ORDEAL_CXX, $CXX, or g++; for C $ORDEAL_CC, $CC, gcc)")
      ->type_name("NAME");
  verb.add_option("--ignore", request->ignore_file, "A list of functions and files whose plain accesses are not checked")->type_name("FILE");
  verb.add_option("--output", request->replay_file, "The replay file to write if a bug is found")->type_name("FILE");
  add_report_options(verb, request->report);
  verb.footer(
      "Sources are compiled with -O1 -g, C++ with -std=c++20. What stands behind -- goes to the compiler, what\n"
      "stands behind a second -- to the program. Behind a program, everything is its arguments.\n\n"
      "Exit codes:\n"
      "  0  verified: every execution class was explored, no bug\n"
      "  1  a bug\n"
      "  2  wrong usage, or sources that do not compile\n"
      "  3  no bug, but a bound, a limit or Ctrl-C cut the search\n"
      "  4  cannot be checked: not instrumented, not supported, or the check was killed");
}

}  // namespace

CheckArguments split_check_arguments(const Words& words, const std::function<bool(const std::string&)>& takes_value) {
  CheckArguments result;
  auto place = words.begin();
  const auto rest = [&](Words& to, bool stops) {
    for (; place != words.end() && !(stops && *place == "--"); ++place) to.push_back(*place);
    if (place != words.end()) ++place;
  };
  while (place != words.end()) {
    const std::string& word = *place++;
    if (word == "--") {
      rest(result.compiler_flags, true);
      rest(result.program_arguments, false);
      break;
    }
    result.own.push_back(word);
    const bool is_option = word.size() > 1 && word.starts_with('-');
    if (is_option && takes_value(word) && place != words.end()) result.own.push_back(*place++);
    if (!is_option && !is_source_file(word) && result.own.size() > 0 &&
        std::none_of(result.own.begin(), result.own.end(), is_source_file)) {
      rest(result.program_arguments, false);
      break;
    }
  }
  return result;
}

void add_check_verb(CLI::App& app, int& exit_code, Words& words) {
  auto request = std::make_shared<Request>();
  CLI::App* verb = app.add_subcommand("check", "Explores every behaviour of a C or C++ program")->group("Verbs");
  add_options(*verb, request);
  if (!words.empty() && words.front() == "check") {
    const auto takes_value = [verb](const std::string& name) {
      const CLI::Option* option = verb->get_option_no_throw(name);
      return option != nullptr && option->get_items_expected_max() > 0;
    };
    CheckArguments parts = split_check_arguments(Words(words.begin() + 1, words.end()), takes_value);
    request->compiler_flags = std::move(parts.compiler_flags);
    request->program_arguments = std::move(parts.program_arguments);
    words.assign({"check"});
    words.insert(words.end(), parts.own.begin(), parts.own.end());
  }
  verb->callback([request, &exit_code] { exit_code = check_or_complain(*request); });
}

}  // namespace ordeal::tools
