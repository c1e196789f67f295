#include "runtime/fault.h"

#include <signal.h>
#include <sys/resource.h>
#include <ucontext.h>
#include <unistd.h>

#include <cstdint>
#include <string>

#include "runtime/access.h"
#include "runtime/forked.h"
#include "runtime/hidden_code.h"
#include "runtime/layout.h"
#include "runtime/libc_state.h"
#include "runtime/snapshot.h"

namespace ordeal::runtime {
namespace {

constexpr int kSignals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS};
alignas(16) unsigned char handler_stack[256 * 1024];

const char* describe(int signal, const siginfo_t* info) {
  switch (signal) {
    case SIGSEGV: return "invalid memory access (SIGSEGV)";
    case SIGBUS: return "invalid memory access (SIGBUS)";
    case SIGFPE: return info->si_code == FPE_INTDIV ? "integer division by zero (SIGFPE)" : "arithmetic error (SIGFPE)";
    case SIGILL: return "illegal instruction (SIGILL)";
    case SIGTRAP: return "trap (SIGTRAP)";
    default: return "fatal signal";
  }
}

bool is_stack_overflow(std::uintptr_t address) {
  if (!is_stack(address)) return false;
  return (address - kStackBase) % kStackStride < kStackStride - kStackSize;
}

/// Without us: main has what the system's limit says, a thread what it was created with.
bool would_have_more_stack(const Thread& thread) {
  rlimit limit{};
  return thread.id != 0 ? thread.asks_for_more_stack : getrlimit(RLIMIT_STACK, &limit) == 0 && limit.rlim_cur > kStackSize;
}

[[noreturn]] void die(int signal) {
  ::signal(signal, SIG_DFL);
  raise(signal);
  _exit(128 + signal);
}

void handle(int signal, siginfo_t* info, void* context) {
  const auto address = reinterpret_cast<std::uintptr_t>(info->si_addr);
  if (signal == SIGSEGV && Snapshot::heat(address)) return;
  auto& next = static_cast<ucontext_t*>(context)->uc_mcontext.gregs[REG_RIP];
  if (signal == SIGTRAP) {
    const HiddenCode::Trap trap = HiddenCode::take(static_cast<std::uintptr_t>(next) - 1);
    if (trap != HiddenCode::Trap::kNone) --next;
    if (trap == HiddenCode::Trap::kNoted || (trap == HiddenCode::Trap::kRefused && !is_checked())) return;
    if (trap == HiddenCode::Trap::kRefused) NativeProgram::instance->refuse(HiddenCode::reason(), static_cast<std::uintptr_t>(next) + 1);
  }
  if (!is_checked()) die(signal);
  if (Forked::is_here && !has_signal_handler(signal)) Forked::die(signal);
  const auto site = static_cast<std::uintptr_t>(static_cast<ucontext_t*>(context)->uc_mcontext.gregs[REG_RIP]) + 1;
  NativeProgram& program = *NativeProgram::instance;
  NativeProgram::current->pending = {};
  if (has_signal_handler(signal)) program.refuse(std::string("a handler of the program's own for: ") + describe(signal, info), site);
  if (is_stack_overflow(address) && would_have_more_stack(*NativeProgram::current))
    program.refuse("a stack of more than " + std::to_string(kStackSize >> 20) + " MB", site);
  Failure failure;
  failure.kind = trace::BugKind::kSignal;
  failure.message = is_stack_overflow(address) ? "stack overflow" : describe(signal, info);
  failure.site = static_cast<std::uint32_t>(site);
  if (signal == SIGSEGV || signal == SIGBUS) failure.address = address;
  failure.sides.push_back({NativeProgram::current->id, "", failure.address, program.stack_here(site), failure.site});
  program.fail(std::move(failure));
}

}  // namespace

void install_fault_handlers() {
  stack_t stack{};
  stack.ss_sp = handler_stack;
  stack.ss_size = sizeof handler_stack;
  sigaltstack(&stack, nullptr);
  struct sigaction action {};
  action.sa_sigaction = &handle;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
  for (const int signal : kSignals) sigaction(signal, &action, nullptr);
}

void remove_fault_handlers() {
  for (const int signal : kSignals) ::signal(signal, SIG_DFL);
}

}  // namespace ordeal::runtime
