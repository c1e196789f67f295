// fork and its kin, and the functions that put another program in the place of a forked process (forked.h).
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <cstdarg>
#include <cstdint>
#include <string>
#include <vector>

#include "runtime/abi.h"
#include "runtime/access.h"
#include "runtime/footprint.h"
#include "runtime/forked.h"
#include "runtime/libc_state.h"
#include "runtime/modules.h"
#include "runtime/system_call.h"
#include "runtime/testing.h"

namespace ordeal::runtime {
namespace {

bool is_programs_call(std::uintptr_t site) { return is_checked() && !is_libc(site) && !is_libgcc(site) && !is_ours(site); }

pid_t fork_for(const char* name, Forked::With with, std::uintptr_t site) {
  if (!is_programs_call(site)) return reinterpret_cast<pid_t (*)()>(dlsym(RTLD_NEXT, name))();
  flush_pending_write();
  if (!is_testing) NativeProgram::instance->refuse(std::string(name) + " is not supported", site);
  return Forked::fork(with, site);
}

/// In the process that is tested, the test would be gone. What a forked one starts begins with its signals as the program has set them.
template <class Execute>
int execute(const char* name, std::uintptr_t site, Execute&& run) {
  if (!is_programs_call(site)) return run();
  flush_pending_write();
  if (!Forked::is_here) NativeProgram::instance->refuse(std::string(name) + " in the process that is tested is not supported", site);
  give_signals_to_system();
  const int result = run();
  const int error = errno;
  take_signals_from_system();
  errno = error;
  return result;
}

using ExecuteFile = int (*)(const char* file, char* const* arguments, char* const* environment);

int execute_file(const char* name, const char* file, char* const* arguments, char* const* environment, std::uintptr_t site) {
  const auto real = reinterpret_cast<ExecuteFile>(dlsym(RTLD_NEXT, name));
  return execute(name, site, [&] { return real(file, arguments, environment); });
}

/// Arguments one by one, with a null at the end.
std::vector<char*> list(const char* first, va_list* rest) {
  std::vector<char*> arguments{const_cast<char*>(first)};
  while (arguments.back() != nullptr) arguments.push_back(va_arg(*rest, char*));
  return arguments;
}

}  // namespace
}  // namespace ordeal::runtime

using namespace ordeal::runtime;

ORDEAL_ABI pid_t forking_fork() __asm__("fork");
ORDEAL_ABI pid_t forking_fork() { return fork_for("fork", Forked::With::kHandlers, ORDEAL_SITE); }
ORDEAL_ABI pid_t forking_bare_fork() __asm__("_Fork");
ORDEAL_ABI pid_t forking_bare_fork() { return fork_for("_Fork", Forked::With::kNothing, ORDEAL_SITE); }
/// As fork, which POSIX allows. What is not the program's must not come through here: the real one returns twice on one stack.
ORDEAL_ABI pid_t forking_vfork() __asm__("vfork");
ORDEAL_ABI pid_t forking_vfork() { return fork_for(is_programs_call(ORDEAL_SITE) ? "vfork" : "fork", Forked::With::kNothing, ORDEAL_SITE); }

/// What pthread_atfork, which is linked into the program, calls.
ORDEAL_ABI int __register_atfork(void (*prepare)(), void (*in_parent)(), void (*in_child)(), void* library) {
  using Register = int (*)(void (*)(), void (*)(), void (*)(), void*);
  if (!is_checked()) return reinterpret_cast<Register>(dlsym(RTLD_NEXT, "__register_atfork"))(prepare, in_parent, in_child, library);
  Forked::add_handlers({prepare, in_parent, in_child});
  return 0;
}

/// The parent only ends: it is the daemon that is tested, in this process.
ORDEAL_ABI int forking_daemon(int keeps_directory, int keeps_files) __asm__("daemon");
ORDEAL_ABI int forking_daemon(int keeps_directory, int keeps_files) {
  if (!is_programs_call(ORDEAL_SITE)) return reinterpret_cast<int (*)(int, int)>(dlsym(RTLD_NEXT, "daemon"))(keeps_directory, keeps_files);
  flush_pending_write();
  if (!is_testing) NativeProgram::instance->refuse("daemon is not supported", ORDEAL_SITE);
  Footprint::note("becomes a daemon");
  if (Footprint::is_own_process) setsid();
  if (keeps_directory == 0 && chdir("/") != 0) return -1;
  if (keeps_files == 0) {
    const int nothing = open("/dev/null", O_RDWR);
    for (int file = STDIN_FILENO; file <= STDERR_FILENO; ++file) dup2(nothing, file);
    if (nothing > STDERR_FILENO) close(nothing);
  }
  return 0;
}

#define ORDEAL_EXECUTING(NAME, FILE, ARGUMENTS, ENVIRONMENT, ...)                                      \
  ORDEAL_ABI int executing_##NAME(__VA_ARGS__) __asm__(#NAME);                                         \
  ORDEAL_ABI int executing_##NAME(__VA_ARGS__) { return execute_file(#NAME, FILE, ARGUMENTS, ENVIRONMENT, ORDEAL_SITE); }
ORDEAL_EXECUTING(execve, file, arguments, environment, const char* file, char* const* arguments, char* const* environment)
ORDEAL_EXECUTING(execvpe, file, arguments, environment, const char* file, char* const* arguments, char* const* environment)
ORDEAL_EXECUTING(execv, file, arguments, nullptr, const char* file, char* const* arguments)
ORDEAL_EXECUTING(execvp, file, arguments, nullptr, const char* file, char* const* arguments)

#define ORDEAL_EXECUTING_LIST(NAME, LIKE)                                                              \
  ORDEAL_ABI int executing_##NAME(const char* file, const char* first, ...) __asm__(#NAME);            \
  ORDEAL_ABI int executing_##NAME(const char* file, const char* first, ...) {                          \
    va_list rest;                                                                                      \
    va_start(rest, first);                                                                             \
    const std::vector<char*> arguments = list(first, &rest);                                            \
    va_end(rest);                                                                                      \
    return execute_file(LIKE, file, arguments.data(), nullptr, ORDEAL_SITE);                           \
  }
ORDEAL_EXECUTING_LIST(execl, "execv")
ORDEAL_EXECUTING_LIST(execlp, "execvp")

ORDEAL_ABI int executing_execle(const char* file, const char* first, ...) __asm__("execle");
ORDEAL_ABI int executing_execle(const char* file, const char* first, ...) {
  va_list rest;
  va_start(rest, first);
  const std::vector<char*> arguments = list(first, &rest);
  char* const* environment = va_arg(rest, char* const*);
  va_end(rest);
  return execute_file("execve", file, arguments.data(), environment, ORDEAL_SITE);
}

ORDEAL_ABI int executing_fexecve(int file, char* const* arguments, char* const* environment) __asm__("fexecve");
ORDEAL_ABI int executing_fexecve(int file, char* const* arguments, char* const* environment) {
  const auto real = reinterpret_cast<int (*)(int, char* const*, char* const*)>(dlsym(RTLD_NEXT, "fexecve"));
  return execute("fexecve", ORDEAL_SITE, [&] { return real(file, arguments, environment); });
}
