#include "agent/serving.h"

#include <errno.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <utility>

namespace ordeal::agent {
namespace {

constexpr std::size_t kLongest = 65536;

Request read_request(const char* text, std::size_t size) {
  Request request;
  for (const char* const end = text + size; text < end; text += request.arguments.back().size() + 1) request.arguments.emplace_back(text);
  if (request.arguments.empty()) return request;
  request.options = std::move(request.arguments.front());
  request.arguments.erase(request.arguments.begin());
  return request;
}

int status_of(pid_t process) {
  int status = 0;
  while (waitpid(process, &status, 0) < 0 && errno == EINTR) continue;
  return status;
}

}  // namespace

Request serve(int socket) {
  static char text[kLongest];
  signal(SIGINT, SIG_IGN);  // Ctrl-C is for the one that searches
  for (;;) {
    const ssize_t size = recv(socket, text, sizeof text - 1, MSG_TRUNC);
    if (size < 0 && errno == EINTR) continue;
    if (size <= 0 || size >= static_cast<ssize_t>(sizeof text)) _exit(size > 0 ? 2 : 0);  // too long a one: whoever asks sees that nobody is there
    text[size] = 0;
    const pid_t process = fork();
    if (process == 0) {
      prctl(PR_SET_PDEATHSIG, SIGKILL);
      signal(SIGINT, SIG_DFL);
      close(socket);
      return read_request(text, static_cast<std::size_t>(size));
    }
    const int status = process > 0 ? status_of(process) : 127 << 8;
    if (send(socket, &status, sizeof status, MSG_NOSIGNAL) < 0) _exit(0);
  }
}

}  // namespace ordeal::agent
