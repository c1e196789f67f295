#include "tools/checked_run.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include "tools/child_process.h"
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
  ChildOptions child;
  child.quiet_input = true;
  child.dies_with_us = true;
  child.output = output.descriptor();
  child.environment = {{"ORDEAL_OPTIONS", "mode=once:time=10:watchdog=10"}};
  const IgnoreInterrupts ignore;
  const ChildEnd end = run_child(command_of(program, arguments), child);
  return {end.signal == 0 && end.not_started.empty() ? end.exit_code : -1, output.text()};
}

trace::RunResult run_checked(const CheckedRun& run) {
  const MemoryFile result("ordeal-result"), replay("ordeal-replay");
  ChildOptions child;
  child.quiet_input = true;
  child.dies_with_us = true;  // nobody else would stop the search
  child.keep_open = {result.descriptor(), replay.descriptor()};
  child.environment = {{"ORDEAL_OPTIONS", options_of(run, result, replay)}};
  ChildEnd end;
  {
    const IgnoreInterrupts ignore;  // Ctrl-C is for the child, which ends the search with what it has
    end = run_child(command_of(run.program, run.arguments), child);
  }
  const std::string text = result.text();
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
