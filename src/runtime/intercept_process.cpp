// How a program ends: main returns, exit, quick_exit, abort, a failed assertion, an exception that nobody catches; and what runs then.
#include <cxxabi.h>
#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <unistd.h>
#include <unwind.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <string>
#include <typeinfo>

#include "runtime/abi.h"
#include "runtime/access.h"
#include "runtime/forked.h"
#include "runtime/lent_stack.h"
#include "runtime/libc_state.h"
#include "runtime/loops/trace.h"
#include "runtime/modules.h"
#include "runtime/program_image.h"
#include "runtime/pthreads.h"
#include "runtime/sync.h"
#include "runtime/testing.h"

namespace ordeal::runtime {
namespace {

NativeProgram& program() { return *NativeProgram::instance; }

constexpr int kMaxExitHandlers = 16384;
ExitHandler exit_handlers[kMaxExitHandlers];
int exit_handler_count = 0, exit_handlers_at_start = 0;
ExitHandler quick_exit_handlers[kMaxExitHandlers];
int quick_exit_handler_count = 0;

/// As in real life, where libc tells what the message is about.
[[noreturn]] void die_with(trace::BugKind kind, const std::string& message, const char* file, unsigned line) {
  if (kind == trace::BugKind::kAssertion) write_error(std::string(file) + ":" + std::to_string(line) + ": Assertion `" + message + "' failed.");
  if (kind == trace::BugKind::kException) write_error("terminate called after throwing an instance of '" + message + "'");
  Forked::die(SIGABRT);
}

/// `file` and `line`: if the program itself says where it is. It knows better where the compiler has made one call of several.
[[noreturn]] void fail(trace::BugKind kind, std::string message, const char* what, std::uintptr_t site, const char* file = nullptr, unsigned line = 0) {
  flush_pending_write();
  if (Forked::is_here) die_with(kind, message, file, line);
  Failure failure;
  failure.kind = kind;
  failure.message = std::move(message);
  failure.site = static_cast<std::uint32_t>(site);
  failure.sides.push_back({NativeProgram::current->id, what, 0, program().stack_here(site), failure.site, -1, file != nullptr ? file : "", line});
  program().fail(std::move(failure));
}

_Unwind_Reason_Code keep_unwinding(int, _Unwind_Action, _Unwind_Exception_Class, _Unwind_Exception*, _Unwind_Context* context, void* end) {
  if (_Unwind_GetCFA(context) < reinterpret_cast<std::uintptr_t>(end)) return _URC_NO_REASON;
  run_thread_destructors();
  flush_pending_write();
  note_stack_given_back();
  program().finish();
}

}  // namespace

namespace {

/// The exception in flight, if it is a std::exception; nullptr: it is none.
const std::exception* standard_exception(const std::type_info& type) {
  static const auto pointer = reinterpret_cast<void* (*)(void*)>(dlsym(RTLD_DEFAULT, "_ZSt17current_exceptionv"));
  static const auto* standard = static_cast<const std::type_info*>(dlsym(RTLD_DEFAULT, "_ZTISt9exception"));
  if (pointer == nullptr || standard == nullptr) return nullptr;
  void* object = nullptr;  // as std::exception_ptr has it; it is kept until the end of the execution, which is here
  pointer(&object);
  return object != nullptr && standard->__do_catch(&type, &object, 1) ? static_cast<const std::exception*>(object) : nullptr;
}

/// Its text, if what() is the library's: that of a class of the program is code that must not run here.
std::string text_of(const std::exception* exception) {
  constexpr std::size_t kWhat = 2, kLongest = 200;  // behind two destructors, in the Itanium C++ ABI
  if (exception == nullptr || !is_libstdcxx((*reinterpret_cast<const std::uintptr_t* const*>(exception))[kWhat])) return {};
  const char* text = exception->what();
  return text == nullptr ? std::string() : std::string(text, strnlen(text, kLongest));
}

/// The type of the exception in flight, of the program's own C++ library, and its text; empty: there is none.
std::string exception_in_flight() {
  static const auto current = reinterpret_cast<std::type_info* (*)()>(dlsym(RTLD_DEFAULT, "__cxa_current_exception_type"));
  const std::type_info* type = current != nullptr ? current() : nullptr;
  if (type == nullptr) return {};
  int status = 0;
  char* name = abi::__cxa_demangle(type->name(), nullptr, nullptr, &status);
  std::string text = name != nullptr ? name : type->name();
  free(name);
  const std::string said = text_of(standard_exception(*type));
  return said.empty() || said == text ? text : text + ": " + said;
}

/// For an exception that nobody catches, a joinable thread that is destroyed, a noexcept function that throws.
void handle_terminate() {
  if (!is_checked()) signal_default_abort();
  const std::string type = exception_in_flight();
  if (type.empty()) fail(trace::BugKind::kAbort, "std::terminate", "calls std::terminate", NativeProgram::current->site);
  fail(trace::BugKind::kException, type, "throws an exception that nobody catches", NativeProgram::current->site);
}

}  // namespace

void catch_terminate() {
  using Set = void* (*)(void (*)());
  if (const auto set = reinterpret_cast<Set>(dlsym(RTLD_DEFAULT, "_ZSt13set_terminatePFvvE")); set != nullptr) set(&handle_terminate);
}

void save_exit_handlers() { exit_handlers_at_start = exit_handler_count; }
void restore_exit_handlers() {
  exit_handler_count = exit_handlers_at_start;
  quick_exit_handler_count = 0;
}

void keep_exit_handlers(ExitHandlers& image) {
  image.at_exit.assign(exit_handlers, exit_handlers + exit_handler_count);
  image.at_quick_exit.assign(quick_exit_handlers, quick_exit_handlers + quick_exit_handler_count);
}
void restore_exit_handlers(const ExitHandlers& image) {
  std::copy(image.at_exit.begin(), image.at_exit.end(), exit_handlers);
  std::copy(image.at_quick_exit.begin(), image.at_quick_exit.end(), quick_exit_handlers);
  exit_handler_count = static_cast<int>(image.at_exit.size());
  quick_exit_handler_count = static_cast<int>(image.at_quick_exit.size());
}

void run_routine(Thread& thread) {
  thread.unwind_end = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
  thread.returned = thread.routine(thread.argument);
}

void run_exit_handlers(int code) {
  while (exit_handler_count > exit_handlers_at_start) {
    const ExitHandler handler = exit_handlers[--exit_handler_count];
    if (handler.run_with_code != nullptr) handler.run_with_code(code, handler.argument);
    else handler.run(handler.argument);
  }
}

__attribute__((noinline)) void end_process(int code, std::uintptr_t site) {
  std::uintptr_t registers[6];  // the caller's
  __asm__ volatile("mov %%rbx, 0(%0); mov %%rbp, 8(%0); mov %%r12, 16(%0); mov %%r13, 24(%0); mov %%r14, 32(%0); mov %%r15, 40(%0)" : : "r"(registers) : "memory");
  NativeProgram::current->exit_stack = reinterpret_cast<std::uintptr_t>(registers);
  if (is_testing && site == 0) note_stack_given_back();  // main has returned
  if (is_testing) Testing::yield();  // others may do much before this one does more
  run_thread_destructors();
  run_exit_handlers(code);
  run_finalizers();
  leave_process(code, site);
}

void leave_process(int code, std::uintptr_t site) {
  flush_pending_write();
  program().set_exited(code & 0xFF, site == 0);
  if (code != 0 && program().judges_exit_code() && !Forked::is_here) fail(trace::BugKind::kExitCode, "exit code " + std::to_string(code & 0xFF), "ends the program", site);
  if (NativeProgram::current->id != 0) program().stop(engine::Cut::kNothing);  // nobody can join it any more
  program().finish();
}

}  // namespace ordeal::runtime

using namespace ordeal::runtime;
using ordeal::trace::BugKind;

ORDEAL_ABI int __cxa_atexit(void (*run)(void*), void* argument, void*) {
  if (!is_checked()) return 0;  // a library's own clean-up: the process ends without it
  if (exit_handler_count == kMaxExitHandlers) program().refuse("more than 16384 exit handlers", ORDEAL_SITE);
  note_effect(*NativeProgram::current);
  exit_handlers[exit_handler_count++] = {run, argument, nullptr};
  return 0;
}
ORDEAL_ABI int atexit(void (*run)()) {
  return __cxa_atexit(reinterpret_cast<void (*)(void*)>(reinterpret_cast<void*>(run)), nullptr, nullptr);
}

ORDEAL_ABI int on_exit(void (*run)(int, void*), void* argument) {
  if (!is_checked()) return 0;
  __cxa_atexit(nullptr, argument, nullptr);
  exit_handlers[exit_handler_count - 1].run_with_code = run;
  return 0;
}

ORDEAL_ABI void exit(int code) {
  if (!is_checked()) _exit(code);
  end_process(code, ORDEAL_SITE);
}
ORDEAL_ABI int __cxa_at_quick_exit(void (*run)(void*), void*) {
  if (!is_checked()) return 0;
  if (quick_exit_handler_count == kMaxExitHandlers) program().refuse("more than 16384 exit handlers", ORDEAL_SITE);
  note_effect(*NativeProgram::current);
  quick_exit_handlers[quick_exit_handler_count++] = {run, nullptr, nullptr};
  return 0;
}
ORDEAL_ABI void quick_exit(int code) noexcept(false) {
  if (!is_checked()) _exit(code);
  while (quick_exit_handler_count > 0) quick_exit_handlers[--quick_exit_handler_count].run(nullptr);
  leave_process(code, ORDEAL_SITE);
}
ORDEAL_ABI void abort() {
  if (!is_checked()) {
    signal_default_abort();
  }
  if (has_signal_handler(SIGABRT)) raise(SIGABRT);
  fail(BugKind::kAbort, "", "calls abort", ORDEAL_SITE);
}
ORDEAL_ABI void __assert_fail(const char* expression, const char* file, unsigned line, const char* function) {
  const std::string message = std::string(file) + ":" + std::to_string(line) + ": " + (function != nullptr ? function : "?") + ": Assertion `" + expression + "' failed.";
  if (!is_checked()) {
    write_error(message);
    signal_default_abort();
  }
  fail(BugKind::kAssertion, expression, "fails the assertion", ORDEAL_SITE, file, line);
}

void ordeal::runtime::exit_thread(void* returned) {
  Thread& thread = *NativeProgram::current;
  thread.returned = returned;
  if (thread.id == 0) {  // main leaves, the others go on
    run_thread_destructors();
    leave_robust_mutexes();
    program().finish();
  }
  static_assert(sizeof(_Unwind_Exception) == sizeof thread.unwinding);
  std::memset(thread.unwinding, 0, sizeof thread.unwinding);
  thread.is_cancel_disabled = true;
  _Unwind_ForcedUnwind(reinterpret_cast<_Unwind_Exception*>(thread.unwinding), &keep_unwinding, reinterpret_cast<void*>(thread.unwind_end));
  __builtin_trap();
}
ORDEAL_ABI void pthread_exit(void* returned) { exit_thread(returned); }

// --- <ordeal/ordeal.h> -------------------------------------------------------------------------------------------------------

ORDEAL_ABI void __ordeal_assume(int holds) {
  if (!is_checked() || holds != 0) return;
  flush_pending_write();
  program().stop(ordeal::engine::Cut::kAssumption);
}
ORDEAL_ABI unsigned __ordeal_choose(unsigned alternatives) {
  if (!is_checked() || alternatives < 2) return 0;
  return choose(alternatives, ORDEAL_SITE, ordeal::model::ChoiceOf::kProgram);
}
ORDEAL_ABI void __ordeal_check(int holds, const char* message, const char* file, unsigned line) {
  if (is_checked() && holds == 0) fail(BugKind::kAssertion, message, "fails the check", ORDEAL_SITE, file, line);
}
