#include "agent/explain.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <string>

#include "agent/output.h"
#include "trace/run_result_format.h"

namespace ordeal::agent {
namespace {

/// …/lib/ordeal/libordeal.so → …/bin/ordeal; empty: it is not there.
std::string command() {
  Dl_info library{};
  if (dladdr(reinterpret_cast<void*>(&explain), &library) == 0 || library.dli_fname == nullptr) return {};
  const std::string path = library.dli_fname;
  const std::string folder = path.substr(0, path.rfind('/') + 1);
  std::string found = folder + "../../bin/ordeal";
  return access(found.c_str(), X_OK) == 0 ? found : "";
}

/// The result, to be read from its start; -1: no room.
int file_with(const std::string& text) {
  const int file = memfd_create("ordeal-result", 0);
  std::size_t done = 0;
  while (file >= 0 && done < text.size()) {
    const ssize_t written = write(file, text.data() + done, text.size() - done);
    if (written <= 0) return -1;
    done += static_cast<std::size_t>(written);
  }
  return file;
}

}  // namespace

// By bare system calls: the program's fork and wait are the runtime's.
bool explain(const trace::RunResult& result) {
  const std::string tool = command();
  const int file = tool.empty() ? -1 : file_with(trace::write(result));
  if (file < 0) return false;
  const std::string name = "/proc/self/fd/" + std::to_string(file);
  const char* const arguments[] = {tool.c_str(), "report", name.c_str(), nullptr};
  const auto child = static_cast<pid_t>(syscall(SYS_fork));
  if (child == 0) {
    syscall(SYS_dup2, Output::user_descriptor(), STDERR_FILENO);
    syscall(SYS_dup2, STDERR_FILENO, STDOUT_FILENO);
    syscall(SYS_execve, tool.c_str(), arguments, environ);
    syscall(SYS_exit_group, 127);
  }
  int status = -1;
  if (child > 0) syscall(SYS_wait4, child, &status, 0, nullptr);
  close(file);
  constexpr int kTold = 0;
  return child > 0 && status == kTold;
}

}  // namespace ordeal::agent
