#include "runtime/libraries.h"

#include <algorithm>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include <dlfcn.h>
#include <link.h>
#include <sys/mman.h>

#include "runtime/abi.h"
#include "runtime/access.h"
#include "runtime/elf_functions.h"
#include "runtime/footprint.h"
#include "runtime/hidden_code.h"
#include "runtime/modules.h"
#include "runtime/tls.h"

namespace ordeal::runtime {
namespace {

using Initializer = void (*)(int, char**, char**);
using Finalizer = void (*)();

struct Library {
  std::string name;                 // as others need it
  std::vector<std::string> needed;  // names
  Initializer* constructors = nullptr;
  std::size_t constructor_count = 0;
  Finalizer* destructors = nullptr;
  std::size_t destructor_count = 0;
};
std::vector<Library>& libraries() {
  static std::vector<Library> list;
  return list;
}

void write_protected(ElfW(Xword) & value, ElfW(Xword) wanted) {
  constexpr std::uintptr_t kPage = 4096;
  auto* page = reinterpret_cast<void*>(reinterpret_cast<std::uintptr_t>(&value) / kPage * kPage);
  if (mprotect(page, kPage, PROT_READ | PROT_WRITE) != 0) return;
  value = wanted;
  mprotect(page, kPage, PROT_READ);
}

/// Reads the library's dynamic section; the loader finds no constructors there any more.
void take_over(const dl_phdr_info& info, Library& library) {
  ElfW(Dyn)* dynamic = nullptr;
  for (int i = 0; i < info.dlpi_phnum; ++i)
    if (info.dlpi_phdr[i].p_type == PT_DYNAMIC)
      dynamic = reinterpret_cast<ElfW(Dyn)*>(info.dlpi_addr + info.dlpi_phdr[i].p_vaddr);
  const char* names = nullptr;
  for (const ElfW(Dyn)* entry = dynamic; entry != nullptr && entry->d_tag != DT_NULL; ++entry)
    if (entry->d_tag == DT_STRTAB)
      names = reinterpret_cast<const char*>(entry->d_un.d_ptr);  // the loader has added the base
  for (ElfW(Dyn)* entry = dynamic; entry != nullptr && names != nullptr && entry->d_tag != DT_NULL; ++entry) {
    switch (entry->d_tag) {
      case DT_SONAME: library.name = names + entry->d_un.d_val; break;
      case DT_NEEDED: library.needed.emplace_back(names + entry->d_un.d_val); break;
      case DT_INIT_ARRAY:
        library.constructors = reinterpret_cast<Initializer*>(info.dlpi_addr + entry->d_un.d_ptr);
        break;
      case DT_FINI_ARRAY: library.destructors = reinterpret_cast<Finalizer*>(info.dlpi_addr + entry->d_un.d_ptr); break;
      case DT_FINI_ARRAYSZ: library.destructor_count = entry->d_un.d_val / sizeof(Finalizer); break;
      case DT_INIT_ARRAYSZ:
        library.constructor_count = entry->d_un.d_val / sizeof(Initializer);
        write_protected(entry->d_un.d_val, 0);
        break;
      default: break;
    }
  }
}

int look_at(dl_phdr_info* info, std::size_t, void* data) {
  bool& is_program = *static_cast<bool*>(data);
  const std::string path = info->dlpi_name;
  if (is_program || !is_restored_module(*info) || path.empty() || path.rfind("/lib/", 0) == 0 ||
      path.rfind("/usr/lib/", 0) == 0) {
    is_program = false;
    return 0;
  }
  if (!read_symbols(path).wants("__tsan_init")) return 0;
  Library library;
  library.name = path.substr(path.rfind('/') + 1);
  take_over(*info, library);
  libraries().push_back(std::move(library));
  return 0;
}

void add_in_order(std::size_t at, std::vector<bool>& is_done, std::vector<const Library*>& order) {
  if (is_done[at]) return;
  is_done[at] = true;
  for (const std::string& name : libraries()[at].needed)
    for (std::size_t i = 0; i < libraries().size(); ++i)
      if (libraries()[i].name == name) add_in_order(i, is_done, order);
  order.push_back(&libraries()[at]);
}

/// What the loader would do: those loaded last first, but what is needed before what needs it.
std::vector<const Library*> in_order() {
  std::vector<const Library*> order;
  std::vector<bool> is_done(libraries().size(), false);
  for (std::size_t i = libraries().size(); i > 0; --i) add_in_order(i - 1, is_done, order);
  return order;
}

const std::vector<const Library*>& order() {
  static const std::vector<const Library*> found = in_order();
  return found;
}

/// Before the constructors of those that need us.
__attribute__((constructor(101))) void take_over_constructors() {
  bool is_program = true;
  dl_iterate_phdr(&look_at, &is_program);
  (void)order();
}

}  // namespace

void run_library_constructors(int argc, char** argv, char** environment) {
  for (const Library* library : order())
    for (std::size_t i = 0; i < library->constructor_count; ++i) library->constructors[i](argc, argv, environment);
}

void run_library_destructors() {
  for (std::size_t l = order().size(); l > 0; --l)
    for (std::size_t i = order()[l - 1]->destructor_count; i > 0; --i) order()[l - 1]->destructors[i - 1]();
}

namespace {

std::size_t last_thread_local() {
  std::size_t last = 0;
  const auto look = [](dl_phdr_info* info, std::size_t, void* data) {
    auto& found = *static_cast<std::size_t*>(data);
    found = std::max<std::size_t>(found, info->dlpi_tls_modid);
    return 0;
  };
  dl_iterate_phdr(look, &last);
  return last;
}

bool opened_thread_locals = false;

}  // namespace

bool has_opened_thread_locals() { return opened_thread_locals; }

}  // namespace ordeal::runtime

using namespace ordeal::runtime;

namespace {

/// One that is there from the start can be found again; what comes later would not be put back between executions. So it needs a process
/// of its own.
void* open_library(const char* name, int flags, const char* function, std::uintptr_t site) {
  flush_pending_write();
  using Open = void* (*)(const char*, int);
  static const auto real = reinterpret_cast<Open>(dlsym(RTLD_NEXT, "dlopen"));
  if (void* there = real(name, RTLD_LAZY | RTLD_NOLOAD)) return there;
  const std::string what = std::string(function) + " of '" + (name != nullptr ? name : "") + "' while the program runs";
  if (!is_testing || function != std::string_view("dlopen")) NativeProgram::instance->refuse(what + " is not supported (link the program with it)", site);
  Footprint::note("opens libraries while it runs");
  if (!Footprint::is_own_process) {
    Footprint::must_begin_again = true;
    NativeProgram::instance->stop(ordeal::engine::Cut::kAssumption);
  }
  const std::size_t thread_locals = last_thread_local();
  void* opened = real(name, flags);  // its constructors are part of the program, and run here
  if (opened == nullptr) return nullptr;
  Footprint::has_libraries = true;
  for (std::size_t module = thread_locals + 1; module <= last_thread_local(); ++module) {
    TlsPool::note_opened(module);
    opened_thread_locals = true;
  }
  HiddenCode::find();
  return opened;
}

bool is_programs(std::uintptr_t site) { return is_checked() && !is_libc(site) && !is_libgcc(site) && !is_ours(site); }

}  // namespace

ORDEAL_ABI void* dlopen(const char* name, int flags) noexcept {
  if (is_programs(ORDEAL_SITE)) return open_library(name, flags, "dlopen", ORDEAL_SITE);
  return reinterpret_cast<void* (*)(const char*, int)>(dlsym(RTLD_NEXT, "dlopen"))(name, flags);
}
ORDEAL_ABI void* dlmopen(Lmid_t space, const char* name, int flags) noexcept {
  if (is_programs(ORDEAL_SITE)) return open_library(name, flags, "dlmopen", ORDEAL_SITE);
  return reinterpret_cast<void* (*)(Lmid_t, const char*, int)>(dlsym(RTLD_NEXT, "dlmopen"))(space, name, flags);
}
/// What is open stays so.
ORDEAL_ABI int dlclose(void* library) noexcept {
  if (is_programs(ORDEAL_SITE)) return 0;
  return reinterpret_cast<int (*)(void*)>(dlsym(RTLD_NEXT, "dlclose"))(library);
}
