#include "benchmarks/peak.h"

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <fstream>

namespace ordeal::benchmarks {

long own_peak_kb() {
  std::ifstream status("/proc/self/status");
  for (std::string word; status >> word;)
    if (long kb = 0; word == "VmHWM:" && status >> kb) return kb;
  return 0;
}

int run_and_write_peak(const std::vector<std::string>& command, const std::string& file) {
  std::vector<char*> arguments;
  for (const std::string& argument : command) arguments.push_back(const_cast<char*>(argument.c_str()));
  arguments.push_back(nullptr);
  const pid_t child = fork();
  if (child == -1) return 127;
  if (child == 0) {
    execvp(arguments[0], arguments.data());
    std::perror(arguments[0]);
    _exit(127);
  }
  std::signal(SIGINT, SIG_IGN);  // Ctrl-C is the command's: it ends with what it has
  int status = 0;
  rusage usage{};
  wait4(child, &status, 0, &usage);  // of the command and of what it waited for
  std::ofstream(file) << usage.ru_maxrss << '\n';
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace ordeal::benchmarks
