#include "runtime/forked.h"

#include <dlfcn.h>
#include <errno.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <utility>

#include "runtime/access.h"
#include "runtime/debugger.h"
#include "runtime/fiber.h"
#include "runtime/footprint.h"
#include "runtime/libc_state.h"
#include "runtime/outside.h"
#include "runtime/program_image.h"
#include "runtime/testing.h"
#include "runtime/timers.h"
#include "trace/run_result_format.h"

namespace ordeal::runtime {
namespace {

std::vector<Forked::Handlers> handlers_at_fork;  // in the order in which they came
std::vector<pid_t> children;
bool has_forked = false;

/// One for all processes that come from this one. The first that has something to say says it.
struct Word {
  bool is_taken;  // atomically
  bool is_said;
  bool is_refusal;
  char text[400];
};
Word* word = nullptr;

void make_word() {
  if (word != nullptr) return;
  const long memory = syscall(SYS_mmap, nullptr, sizeof(Word), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory != -1) word = reinterpret_cast<Word*>(memory);
}

void say(bool is_refusal, const std::string& text) {
  write_error("ordeal: in a process that the program forked: " + text);
  if (word == nullptr || __atomic_test_and_set(&word->is_taken, __ATOMIC_ACQUIRE)) return;
  word->is_refusal = is_refusal;
  std::snprintf(word->text, sizeof word->text, "%s", text.c_str());
  __atomic_store_n(&word->is_said, true, __ATOMIC_RELEASE);
}

bool is_said() { return word != nullptr && __atomic_load_n(&word->is_said, __ATOMIC_ACQUIRE); }

/// As a process whose only thread is the engine's: libc then knows of nobody else. A function of its own, because the place of errno depends on it.
[[gnu::noinline]] pid_t fork_in_the_system(int* error) {
  static const auto real = reinterpret_cast<pid_t (*)()>(dlsym(RTLD_NEXT, "fork"));
  const pid_t child = real();
  *error = errno;
  return child;
}

pid_t fork_here(int* error) {
  Thread* thread = std::exchange(NativeProgram::current, nullptr);  // what runs meanwhile is not the program's
  const std::uintptr_t own = thread_pointer();
  set_thread_pointer(Fiber::engine_thread_pointer());
  const pid_t child = fork_in_the_system(error);
  set_thread_pointer(own);
  NativeProgram::current = thread;
  return child;
}

/// This is the new process.
void leave_the_test() {
  Forked::is_here = true;
  children.clear();
  Debugger::is_on = false;
  ::signal(SIGALRM, SIG_DFL);  // there is no watchdog
  ::signal(SIGINT, SIG_DFL);
  forget_waits_for_signals();
  Timers::forget();
  Testing::leave_others_behind();
}

[[noreturn]] void leave(int code) {
  syscall(SYS_exit_group, code);
  __builtin_trap();
}

}  // namespace

void Forked::add_handlers(const Handlers& handlers) { handlers_at_fork.push_back(handlers); }

pid_t Forked::fork(With with, std::uintptr_t site) {
  Footprint::note("starts other processes");
  make_word();
  const std::vector<Handlers> handlers = with == With::kHandlers ? handlers_at_fork : std::vector<Handlers>();
  for (std::size_t i = handlers.size(); i > 0; --i)
    if (handlers[i - 1].prepare != nullptr) handlers[i - 1].prepare();
  Outside::release(site);  // what the new process says to others, it knows from here
  Testing::note_change();
  int error = 0;
  const pid_t child = fork_here(&error);
  if (child == 0) leave_the_test();
  if (child > 0) children.push_back(child), note_other();
  has_forked |= child >= 0;
  for (const Handlers& each : handlers)
    if (void (*run)() = child == 0 ? each.in_child : each.in_parent; run != nullptr) run();
  if (child < 0) errno = error;
  return child;
}

/// Only those that nobody has waited for are still ours.
void Forked::begin() {
  handlers_at_fork.clear();
  has_others_ = false;
  for (const pid_t child : children) {
    siginfo_t info{};
    if (syscall(SYS_waitid, P_PID, child, &info, WEXITED | WNOHANG | WNOWAIT, nullptr) != 0) continue;
    syscall(SYS_kill, child, SIGKILL);
    syscall(SYS_wait4, child, nullptr, 0, nullptr);
  }
  children.clear();
}

void Forked::die(int signal) {
  ::signal(signal, SIG_DFL);
  syscall(SYS_kill, syscall(SYS_getpid), signal);
  leave(128 + signal);  // it is one that does not end a process
}

void Forked::end(const NativeProgram& program) {
  constexpr int kCannotGoOn = 4;
  if (!program.refused().empty()) {
    say(true, program.refused());
    leave(kCannotGoOn);
  }
  if (const Failure* failure = program.failure(); failure != nullptr) {
    say(false, std::string(trace::word(failure->kind)) + (failure->message.empty() ? "" : ": " + failure->message));
    die(SIGABRT);
  }
  if (program.has_exited() && !program.has_ended_in_order()) leave(program.exit_code());
  if (program.has_exited() || Testing::have_all_ended()) {
    std::fflush(nullptr);
    leave(program.has_exited() ? program.exit_code() : 0);
  }
  say(false, "its threads would wait for ever, or made too many operations");
  die(SIGABRT);
}

std::vector<std::string> Forked::notes() {
  std::vector<std::string> notes;
  if (has_forked) notes.emplace_back("the program forks: what the new processes do is not tested");
  if (is_said() && !word->is_refusal) notes.push_back("a process that the program forked was ended: " + std::string(word->text));
  return notes;
}

std::string Forked::refused() { return !is_here && is_said() && word->is_refusal ? word->text : ""; }

}  // namespace ordeal::runtime
