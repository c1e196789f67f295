// EXPECT: verified 2
// What an execution changes inside libc and the kernel is as before in the next.
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cassert>
#include <cerrno>
#include <clocale>
#include <cstdlib>
#include <cstring>
#include <thread>

std::atomic<int> x;
char text[] = "ORDEAL_TEST_PUT=1";

int main() {
  assert(errno == 0);
  errno = 5;
  assert(std::strcmp(std::setlocale(LC_ALL, nullptr), "C") == 0);
  std::setlocale(LC_ALL, "C.UTF-8");
  char folder[4096];
  assert(getcwd(folder, sizeof folder) != nullptr && std::strcmp(folder, "/") != 0);
  assert(chdir("/") == 0);
  const mode_t mask = umask(0777);
  assert(mask != 0777);
  assert(signal(SIGUSR1, SIG_IGN) == SIG_DFL);
  assert(std::getenv("ORDEAL_TEST_PUT") == nullptr && std::getenv("PATH") != nullptr);
  putenv(text);
  unsetenv("PATH");
  const int first = std::rand();
  assert(first == 1804289383);  // libc's first number, always
  sigset_t all;
  sigfillset(&all);
  sigset_t before;
  assert(sigprocmask(SIG_BLOCK, &all, &before) == 0 && sigismember(&before, SIGUSR1) == 0);
  std::thread a([] { x = 1; });
  x.load();
  a.join();
  clearenv();
}
