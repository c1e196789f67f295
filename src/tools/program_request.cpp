#include "tools/program_request.h"

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <stdexcept>
#include <utility>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <unistd.h>

#include "tools/check_options.h"
#include "tools/checked_run.h"
#include "tools/elf_file.h"
#include "tools/exit_code.h"
#include "tools/ignore_list.h"
#include "tools/output_files.h"

namespace ordeal::tools {

namespace fs = std::filesystem;

const char* const kArgumentsHelp =
    "Sources are compiled with -O1 -g, C++ with -std=c++20. What stands behind -- goes to the compiler, what\n"
    "stands behind a second -- to the program. Behind a program, everything is its arguments.\n\n";

void add_program_files(CLI::App& verb, ProgramRequest& request) {
  verb.add_option("FILE", request.files,
                  "C or C++ source files, or one program built by 'ordeal c++' with its arguments")
      ->required()
      ->option_text("...");
}

void add_program_options(CLI::App& verb, ProgramRequest& request) {
  verb.add_option("--compiler", request.compiler,
                  "The compiler (default: $ORDEAL_CXX, $CXX, or g++; for C $ORDEAL_CC, $CC, gcc)")
      ->type_name("NAME");
  verb.add_option("--ignore", request.ignore_file, "A list of functions and files whose plain accesses are not checked")->type_name("FILE");
  verb.add_option("--output", request.replay_file, "The replay file to write if a bug is found")->type_name("FILE");
  add_report_options(verb, request.report);
}

ProgramArguments split_arguments(const Words& words, const std::function<bool(const std::string&)>& takes_value) {
  ProgramArguments result;
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

void take_arguments(const CLI::App& verb, Words& words, ProgramRequest& request) {
  if (words.empty() || words.front() != verb.get_name()) return;
  const auto takes_value = [&verb](const std::string& name) {
    const CLI::Option* option = verb.get_option_no_throw(name);
    return option != nullptr && option->get_items_expected_max() > 0;
  };
  ProgramArguments parts = split_arguments(Words(words.begin() + 1, words.end()), takes_value);
  request.compiler_flags = std::move(parts.compiler_flags);
  request.program_arguments = std::move(parts.program_arguments);
  words.assign({verb.get_name()});
  words.insert(words.end(), parts.own.begin(), parts.own.end());
}

namespace {

BuiltProgram built(const ProgramRequest& request) {
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

}  // namespace

BuiltProgram program_of(const ProgramRequest& request) {
  BuiltProgram program = built(request);
  if (const std::string why = why_not_checkable(program.path); !why.empty()) throw NotChecked(why);
  return program;
}

trace::RunResult run_request(const ProgramRequest& request, const BuiltProgram& program, const Words& arguments, const std::string& mode, const std::string& options) {
  CheckedRun run;
  run.program = program.path;
  run.arguments = arguments;
  run.mode = mode;
  run.progress = !request.report.quiet && isatty(STDERR_FILENO) != 0;
  IgnoreList ignored = request.ignore_file.empty() ? IgnoreList() : IgnoreList(request.ignore_file);
  trace::RunResult result;
  do {
    run.options = options + ignored.option();
    result = run_checked(run);
  } while (!ignored.is_empty() && ignored.add_places(result));
  result.options = {run.options};
  result.arguments = run.arguments;
  return result;
}

int run_or_complain(const ProgramRequest& request, const std::function<int()>& run) {
  ReportOptions report = request.report;
  report.program = request.files.front();
  try {
    return run();
  } catch (const CompileError&) {
    return write_failure(report, "compile-error", "it does not compile; the compiler has said why", kUsage);
  } catch (const NotChecked& error) {
    std::cerr << "ordeal: " << error.what() << "\n";
    return write_failure(report, "", error.what(), kCannotCheck);
  }
}

std::string ReplayWriter::write(const trace::RunResult& result, const std::string& test) {
  if (result.bugs.empty() || program_.folder) return "";  // the program goes with its folder
  try {
    return *written_.insert(write_replay_file(result, program_.path, test, std::exchange(chosen_, ""), written_)).first;
  } catch (const std::runtime_error& error) {
    std::cerr << "ordeal: " << error.what() << "\n";
    return "";
  }
}

std::vector<std::string> ReplayWriter::write_all(const trace::RunResult& result) {
  std::vector<std::string> names;
  trace::RunResult one = result;
  for (const trace::Bug& bug : result.bugs) {
    one.bugs = {bug};
    names.push_back(write(one, ""));
  }
  return names;
}

}  // namespace ordeal::tools
