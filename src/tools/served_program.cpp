#include "tools/served_program.h"

#include <array>
#include <cerrno>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

namespace ordeal::tools {

ServedProgram::ServedProgram(const std::string& program, ChildOptions child) {
  std::array<int, 2> ends{};
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends.data()) != 0) return;
  child.keep_open.push_back(ends[1]);
  child.environment.emplace_back("ORDEAL_OPTIONS", fmt::format("mode=serve:request_fd={}", ends[1]));
  child_.emplace_back(std::vector{program}, child);
  close(ends[1]);
  socket_ = ends[0];
}

ServedProgram::~ServedProgram() {
  if (socket_ >= 0) close(socket_);  // it ends
}

ChildEnd ServedProgram::run(const std::string& options, const std::vector<std::string>& arguments) const {
  std::string words = options + '\0';
  for (const std::string& argument : arguments) words += argument + '\0';
  int status = 127 << 8;
  if (send(socket_, words.data(), words.size(), MSG_NOSIGNAL) >= 0)
    while (recv(socket_, &status, sizeof status, 0) < 0 && errno == EINTR) continue;
  ChildEnd end;
  if (WIFSIGNALED(status)) end.signal = WTERMSIG(status);
  else end.exit_code = WEXITSTATUS(status);
  return end;
}

}  // namespace ordeal::tools
