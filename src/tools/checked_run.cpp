#include "tools/checked_run.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <map>
#include <optional>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include "tools/child_process.h"
#include "tools/served_program.h"
#include "trace/run_result_format.h"

namespace ordeal::tools {
namespace {

/// A file in memory, closed at the end.
class MemoryFile {
 public:
  explicit MemoryFile(const char* name) : descriptor_(memfd_create(name, MFD_CLOEXEC)) {
    if (descriptor_ < 0)
      throw NotChecked(fmt::format("cannot make a file in memory for the result: {}", std::strerror(errno)));
  }
  ~MemoryFile() { close(descriptor_); }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;
  int descriptor() const { return descriptor_; }

  void clear() const {
    if (ftruncate(descriptor_, 0) == 0) lseek(descriptor_, 0, SEEK_SET);
  }
  void fill(const std::string& text) const {
    for (std::size_t done = 0; done < text.size();) {
      const ssize_t count = write(descriptor_, text.data() + done, text.size() - done);
      if (count < 0) throw NotChecked(fmt::format("cannot hand over the replay file: {}", std::strerror(errno)));
      done += static_cast<std::size_t>(count);
    }
    lseek(descriptor_, 0, SEEK_SET);
  }
  std::string text() const {
    std::string text;
    std::array<char, 65536> buffer{};
    for (ssize_t count = 0;
         (count = pread(descriptor_, buffer.data(), buffer.size(), static_cast<off_t>(text.size()))) > 0;)
      text.append(buffer.data(), static_cast<std::size_t>(count));
    return text;
  }

 private:
  int descriptor_;
};

std::string advice(const ChildEnd& end) {
  if (end.signal == SIGKILL) return " Perhaps the memory was used up: --max-events and --executions bound the search.";
  if (end.signal == SIGINT || end.signal == SIGTERM || end.signal == SIGHUP) return "";
  if (!end.not_started.empty()) return "";
  if (end.exit_code == 126 || end.exit_code == 127)
    return " Can it be started by itself? 'ldd' tells whether a library is missing.";
  return " That is a fault of Ordeal, or of code that it cannot see; please report it.";
}

std::vector<std::string> command_of(const std::string& program, const std::vector<std::string>& arguments) {
  std::vector<std::string> command = arguments;
  command.insert(command.begin(), program);
  return command;
}

/// Of a program under Ordeal. The runtime would start it once more to have its addresses fixed and its symbols bound.
ChildOptions child_options(const std::string& options) {
  ChildOptions child;
  child.quiet_input = true;
  child.dies_with_us = true;  // nobody else would stop the search
  child.at_fixed_addresses = true;
  child.environment = {{"LD_BIND_NOW", "1"}};
  if (!options.empty()) child.environment.emplace_back("ORDEAL_OPTIONS", options);
  return child;
}

/// For ORDEAL_OPTIONS. The replay file, if there is one, goes where the child finds it.
std::string options_of(const CheckedRun& run, const MemoryFile& result, const MemoryFile& replay) {
  const std::string options =
      fmt::format("mode={}:result_fd={}:{}:progress={:d}", run.mode, result.descriptor(), run.options, run.progress);
  if (run.replay.empty()) return options;
  replay.fill(run.replay);
  return options + fmt::format(":replay_fd={}", replay.descriptor());
}

}  // namespace

RunOutput run_once(const std::string& program, const std::vector<std::string>& arguments) {
  const MemoryFile output("ordeal-output");
  ChildOptions child = child_options("mode=once:time=10:watchdog=10");
  child.output = output.descriptor();
  const IgnoreInterrupts ignore;
  const ChildEnd end = run_child(command_of(program, arguments), child);
  return {end.signal == 0 && end.not_started.empty() ? end.exit_code : -1, output.text()};
}

namespace {

/// A program that serves, with the files of all its runs.
class KeptProgram {
 public:
  explicit KeptProgram(const std::string& program) : program_(program, with_files(child_options(""))) {}
  ChildEnd run(const CheckedRun& run) const {
    result_.clear();
    return program_.run(options_of(run, result_, replay_), run.arguments);
  }
  const MemoryFile& result() const { return result_; }

 private:
  ChildOptions with_files(ChildOptions child) const {
    child.keep_open = {result_.descriptor(), replay_.descriptor()};
    return child;
  }
  MemoryFile result_{"ordeal-result"}, replay_{"ordeal-replay"};
  ServedProgram program_;
};

std::optional<std::map<std::string, KeptProgram>> kept_programs;  // by path

ChildEnd run_in_new_process(const CheckedRun& run, std::string& text) {
  const MemoryFile result("ordeal-result"), replay("ordeal-replay");
  ChildOptions child = child_options(options_of(run, result, replay));
  child.keep_open = {result.descriptor(), replay.descriptor()};
  const ChildEnd end = run_child(command_of(run.program, run.arguments), child);
  text = result.text();
  return end;
}

ChildEnd run_in_kept_process(const CheckedRun& run, std::string& text) {
  const KeptProgram& program = kept_programs->try_emplace(run.program, run.program).first->second;
  const ChildEnd end = program.run(run);
  text = program.result().text();
  return end;
}

}  // namespace

KeepPrograms::KeepPrograms() { kept_programs.emplace(); }
KeepPrograms::~KeepPrograms() { kept_programs.reset(); }

trace::RunResult run_checked(const CheckedRun& run) {
  std::string text;
  ChildEnd end;
  {
    const IgnoreInterrupts ignore;  // Ctrl-C is for the child, which ends the search with what it has
    end = kept_programs && run.replay.empty() ? run_in_kept_process(run, text) : run_in_new_process(run, text);
  }
  if (text.empty())
    throw NotChecked(fmt::format("'{}' {} before the check was done, so nothing is known about it.{}", run.program,
                                 describe(end), advice(end)));
  try {
    return trace::read_run_result(text);
  } catch (const trace::FormatError& error) {
    throw NotChecked(fmt::format("'{}' {} and left a result that cannot be read ({}), so nothing is known about it.{}",
                                 run.program, describe(end), error.what(), advice(end)));
  }
}

void become_debugger(const std::vector<std::string>& debugger, const CheckedRun& run) {
  const MemoryFile result("ordeal-result"), replay("ordeal-replay");
  setenv("ORDEAL_OPTIONS", options_of(run, result, replay).c_str(), 1);
  for (const MemoryFile* file : {&result, &replay}) fcntl(file->descriptor(), F_SETFD, 0);
  std::vector<std::string> words = debugger;
  for (const std::string& word : command_of(run.program, run.arguments)) words.push_back(word);
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  execv(pointers[0], pointers.data());
  throw NotChecked(fmt::format("'{}' could not be started: {}", debugger[0], std::strerror(errno)));
}

}  // namespace ordeal::tools
