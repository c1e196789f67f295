// Where it begins: __libc_start_main, which every executable calls first, comes here. We set the stage and run the search
// in place of the program's main.
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>

#include "agent/options.h"
#include "agent/output.h"
#include "agent/plugin.h"
#include "agent/run.h"
#include "agent/serving.h"
#include "runtime/abi.h"
#include "runtime/allocation.h"
#include "runtime/annotations.h"
#include "runtime/arrived_signals.h"
#include "runtime/code_copies.h"
#include "runtime/fault.h"
#include "runtime/fiber.h"
#include "runtime/hidden_code.h"
#include "runtime/libc_state.h"
#include "runtime/modules.h"
#include "runtime/native_program.h"
#include "runtime/program_image.h"
#include "runtime/snapshot.h"
#include "runtime/tls.h"

// There only in the library that counts for the profile (cmake/profile.cmake).
extern "C" [[gnu::weak, gnu::visibility("hidden")]] void __gcov_dump();

namespace ordeal::agent {
namespace {

runtime::Main program_main = nullptr;

/// Addresses must be the same in every run.
void restart_without_randomisation(char** argv, char** environment) {
  const int current = personality(0xFFFFFFFF);
  if (current == -1 || (current & ADDR_NO_RANDOMIZE) != 0 || getenv("ORDEAL_RESTARTED") != nullptr) return;
  if (personality(static_cast<unsigned long>(current) | ADDR_NO_RANDOMIZE) == -1) return;
  setenv("ORDEAL_RESTARTED", "1", 1);
  setenv("LD_BIND_NOW", "1", 1);
  execve("/proc/self/exe", argv, environ);
  (void)environment;
}

/// Or each execution would make them anew.
void initialise_iostreams() {
  if (void* constructor = dlsym(RTLD_DEFAULT, "_ZNSt8ios_base4InitC1Ev"); constructor != nullptr) {
    static char object;
    reinterpret_cast<void (*)(void*)>(constructor)(&object);
  }
}

/// In a process of its own, which has one of the requests to do.
Options take_request(const Options& served, const char* program) {
  const Request request = serve(served.request_fd);
  const std::size_t count = request.arguments.size() + 1;
  auto** const arguments = new char*[count + 1];  // for as long as the process lives
  arguments[0] = strdup(program);
  for (std::size_t i = 1; i < count; ++i) arguments[i] = strdup(request.arguments[i - 1].c_str());
  arguments[count] = nullptr;
  runtime::set_program_image(program_main, static_cast<int>(count), arguments, environ);
  Output::clear();
  return parse_options(request.options.c_str());
}

int agent_main(int argc, char** argv, char** environment) {
  Options options = parse_options(getenv("ORDEAL_OPTIONS"));
  if (options.error == "help") {
    runtime::write_error(options_help());
    return 0;
  }
  if (!options.error.empty()) {
    runtime::write_error(options.error);
    return 2;
  }
  restart_without_randomisation(argv, environment);
  unsetenv("ORDEAL_OPTIONS");
  unsetenv("ORDEAL_RESTARTED");
  runtime::set_program_image(program_main, argc, argv, environ);
  runtime::find_libc();
  initialise_iostreams();
  if (options.debug) Output::empty_input();
  else if (options.mode != Mode::kOnce) Output::hide();
  runtime::Fiber::prepare_engine();
  runtime::TlsPool::make(8);
  runtime::catch_terminate();
  runtime::find_replaced_operators();
  runtime::save_keys();
  runtime::save_exit_handlers();
  runtime::LibcState::save();
  runtime::install_fault_handlers();
  if (options.mode != Mode::kOnce) runtime::ArrivedSignals::install();
  // A debugger's breakpoints are in the code, and what it runs was checked before.
  if (options.debug) runtime::keep_code_without_breakpoints();
  else if (options.mode != Mode::kOnce) runtime::HiddenCode::find();
  if (options.mode == Mode::kServe) options = take_request(options, argv[0]);
  for (const std::uint32_t place : options.ignored) runtime::Annotations::ignore_code(place, place + 1);
  if (options.mode == Mode::kTest && is_plugin(options.strategy)) Plugin::load(options.strategy);
  runtime::Snapshot::take();
  const int code = run(options);
  if (__gcov_dump != nullptr) __gcov_dump();
  _exit(code);
}

void do_nothing() {}

}  // namespace
}  // namespace ordeal::agent

ORDEAL_ABI int __libc_start_main(ordeal::runtime::Main main, int argc, char** argv, void (*)(), void (*fini)(), void (*rtld_fini)(),
                                 void* stack_end) {
  using Start = int (*)(ordeal::runtime::Main, int, char**, void (*)(), void (*)(), void (*)(), void*);
  const auto start = reinterpret_cast<Start>(dlsym(RTLD_NEXT, "__libc_start_main"));
  ordeal::agent::program_main = main;
  // An initialiser that is not null keeps libc from running the program's constructors: they run in each execution.
  return start(&ordeal::agent::agent_main, argc, argv, &ordeal::agent::do_nothing, fini, rtld_fini, stack_end);
}
