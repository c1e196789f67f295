#include "agent/output.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdio>

namespace ordeal::agent {
namespace {

int memory = -1;         // file descriptor
int user = STDERR_FILENO;
int hidden[2] = {-1, -1};  // stdout and stderr while they are muted
constexpr std::size_t kShown = 65536;

}  // namespace

/// What one execution reads would be missing in the next.
void Output::empty_input() {
  if (const int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC); nothing >= 0) dup2(nothing, STDIN_FILENO);
}

void Output::hide() {
  empty_input();
  user = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 200);
  memory = memfd_create("ordeal-output", MFD_CLOEXEC);
  if (memory < 0) return;
  memory = fcntl(memory, F_DUPFD_CLOEXEC, 201);
  dup2(memory, STDOUT_FILENO);
  dup2(memory, STDERR_FILENO);
}

void Output::clear() {
  std::fflush(stdout);
  if (memory < 0 || lseek(memory, 0, SEEK_CUR) == 0) return;
  lseek(memory, 0, SEEK_SET);
  if (ftruncate(memory, 0) != 0) return;
}

void Output::mute() {
  if (memory >= 0) return;
  std::fflush(stdout);
  const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
  if (nowhere < 0) return;
  for (int stream = 0; stream < 2; ++stream) {
    hidden[stream] = fcntl(STDOUT_FILENO + stream, F_DUPFD_CLOEXEC, 200);
    if (hidden[stream] >= 0) dup2(nowhere, STDOUT_FILENO + stream);
  }
  close(nowhere);
}

void Output::unmute() {
  std::fflush(stdout);
  for (int stream = 0; stream < 2; ++stream) {
    if (hidden[stream] < 0) continue;
    dup2(hidden[stream], STDOUT_FILENO + stream);
    close(hidden[stream]);
    hidden[stream] = -1;
  }
}

std::string Output::text() {
  std::fflush(stdout);
  if (memory < 0) return {};
  const off_t size = lseek(memory, 0, SEEK_END);
  std::string text(static_cast<std::size_t>(size) < kShown ? static_cast<std::size_t>(size) : kShown, 0);
  const ssize_t got = pread(memory, text.data(), text.size(), 0);
  text.resize(got > 0 ? static_cast<std::size_t>(got) : 0);
  return text;
}

int Output::user_descriptor() { return user; }

void Output::tell(const std::string& message) {
  if (write(user, message.data(), message.size()) < 0) return;
}

}  // namespace ordeal::agent
