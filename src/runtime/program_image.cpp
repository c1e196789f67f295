#include "runtime/program_image.h"

#include <alloca.h>
#include <link.h>
#include <signal.h>
#include <unistd.h>

#include <cstring>

#include "runtime/libraries.h"

namespace ordeal::runtime {
namespace {

Main program_main = nullptr;
int argument_count = 0;
char** arguments = nullptr;
char** environment = nullptr;

using Initializer = void (*)(int, char**, char**);
using Finalizer = void (*)();

struct Image {
  void (*init)() = nullptr;
  Initializer* preinit_array = nullptr;
  std::size_t preinit_count = 0;
  Initializer* init_array = nullptr;
  std::size_t init_count = 0;
  Finalizer* fini_array = nullptr;
  std::size_t fini_count = 0;
};
Image image;

/// The executable comes first.
int read_dynamic_section(dl_phdr_info* info, std::size_t, void*) {
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    if (info->dlpi_phdr[i].p_type != PT_DYNAMIC) continue;
    const std::uintptr_t base = info->dlpi_addr;
    for (const auto* entry = reinterpret_cast<const ElfW(Dyn)*>(base + info->dlpi_phdr[i].p_vaddr); entry->d_tag != DT_NULL; ++entry) {
      const std::uintptr_t address = base + entry->d_un.d_ptr;
      switch (entry->d_tag) {
        case DT_INIT: image.init = reinterpret_cast<void (*)()>(address); break;
        case DT_PREINIT_ARRAY: image.preinit_array = reinterpret_cast<Initializer*>(address); break;
        case DT_PREINIT_ARRAYSZ: image.preinit_count = entry->d_un.d_val / sizeof(Initializer); break;
        case DT_INIT_ARRAY: image.init_array = reinterpret_cast<Initializer*>(address); break;
        case DT_INIT_ARRAYSZ: image.init_count = entry->d_un.d_val / sizeof(Initializer); break;
        case DT_FINI_ARRAY: image.fini_array = reinterpret_cast<Finalizer*>(address); break;
        case DT_FINI_ARRAYSZ: image.fini_count = entry->d_un.d_val / sizeof(Finalizer); break;
        default: break;
      }
    }
  }
  return 1;
}

}  // namespace

void set_program_image(Main main, int argc, char** argv, char** env) {
  program_main = main;
  argument_count = argc;
  arguments = argv;
  environment = env;
  dl_iterate_phdr(&read_dynamic_section, nullptr);
}

void run_program(void*) {
  // Programs change their arguments: InitGoogleTest takes its own out. Each execution has a copy, on its stack. The strings lie one behind the other, as the
  // system puts them: those who show a title of their own in its list of processes write over them all.
  auto** const copy = static_cast<char**>(alloca((static_cast<std::size_t>(argument_count) + 1) * sizeof(char*)));
  std::size_t size = 0;
  for (int i = 0; i < argument_count; ++i) size += std::strlen(arguments[i]) + 1;
  auto* text = static_cast<char*>(alloca(size));
  for (int i = 0; i < argument_count; ++i) {
    copy[i] = text;
    text = stpcpy(text, arguments[i]) + 1;
  }
  copy[argument_count] = nullptr;
  for (std::size_t i = 0; i < image.preinit_count; ++i) image.preinit_array[i](argument_count, copy, environment);
  run_library_constructors(argument_count, copy, environment);
  if (image.init != nullptr) image.init();
  for (std::size_t i = 0; i < image.init_count; ++i) image.init_array[i](argument_count, copy, environment);
  end_process(program_main(argument_count, copy, environment), 0);
}

void run_finalizers() {
  for (std::size_t i = image.fini_count; i > 0; --i) image.fini_array[i - 1]();
  run_library_destructors();
}

void signal_default_abort() {
  signal(SIGABRT, SIG_DFL);
  kill(getpid(), SIGABRT);
  _exit(134);
}

void write_error(const std::string& message) {
  const std::string line = message + "\n";
  if (write(STDERR_FILENO, line.data(), line.size()) < 0) return;
}

}  // namespace ordeal::runtime
