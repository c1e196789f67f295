#include "runtime/open_files.h"

#include <fcntl.h>
#include <link.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <string_view>

#include "runtime/modules.h"

namespace ordeal::runtime {
namespace {

/// Calls of libc that leave a file open, and are not intercepted: sorted.
constexpr std::string_view kOpening[] = {
    "__open64_2",     "__open_2",          "__openat64_2", "__openat_2",   "catopen",       "creat64",     "dlsym",       "dlvsym",      "dup",         "dup2",        "dup3",
    "epoll_create",   "epoll_create1",     "eventfd",      "fanotify_init", "fcntl",        "fcntl64",     "forkpty",     "freopen",     "freopen64",
    "fsmount",        "fsopen",            "fspick",       "getgrent",     "gethostent",    "getpt",       "getpwent",    "getutent",    "getutxent",
    "inotify_init",   "inotify_init1",     "memfd_create", "mkostemp",     "mkostemp64",    "mkostemps",   "mkostemps64", "mkstemp",     "mkstemp64",
    "mkstemps",       "mkstemps64",        "mq_open",      "open_by_handle_at", "open_tree", "opendir",    "openlog",     "openpty",     "pidfd_getfd",
    "pidfd_open",     "popen",             "posix_openpt", "setgrent",     "sethostent",    "setmntent",   "setpwent",    "setutent",    "setutxent",
    "signalfd",       "socket",            "syslog",       "timerfd_create", "tmpfile",     "tmpfile64",   "vsyslog"};
static_assert(std::is_sorted(std::begin(kOpening), std::end(kOpening)));

struct Dynamic {
  const Elf64_Sym* symbols = nullptr;
  const char* names = nullptr;
  const Elf64_Rela* relocations[2] = {};  // of data, of calls
  std::size_t sizes[2] = {};
};

Dynamic dynamic_of(const dl_phdr_info& info) {
  Dynamic found;
  for (int i = 0; i < info.dlpi_phnum; ++i) {
    if (info.dlpi_phdr[i].p_type != PT_DYNAMIC) continue;
    for (const auto* entry = reinterpret_cast<const Elf64_Dyn*>(info.dlpi_addr + info.dlpi_phdr[i].p_vaddr); entry->d_tag != DT_NULL; ++entry) {
      const std::uintptr_t value = entry->d_un.d_ptr;  // the loader has made addresses of places in the file
      switch (entry->d_tag) {
        case DT_SYMTAB: found.symbols = reinterpret_cast<const Elf64_Sym*>(value); break;
        case DT_STRTAB: found.names = reinterpret_cast<const char*>(value); break;
        case DT_RELA: found.relocations[0] = reinterpret_cast<const Elf64_Rela*>(value); break;
        case DT_RELASZ: found.sizes[0] = value; break;
        case DT_JMPREL: found.relocations[1] = reinterpret_cast<const Elf64_Rela*>(value); break;
        case DT_PLTRELSZ: found.sizes[1] = value; break;
        default: break;
      }
    }
  }
  return found;
}

bool can_open_files(const dl_phdr_info& info) {
  const Dynamic dynamic = dynamic_of(info);
  if (dynamic.symbols == nullptr || dynamic.names == nullptr) return false;
  for (int table = 0; table < 2; ++table) {
    const std::size_t count = dynamic.relocations[table] != nullptr ? dynamic.sizes[table] / sizeof(Elf64_Rela) : 0;
    for (std::size_t i = 0; i < count; ++i) {
      const Elf64_Sym& symbol = dynamic.symbols[ELF64_R_SYM(dynamic.relocations[table][i].r_info)];
      if (symbol.st_shndx == SHN_UNDEF && std::binary_search(std::begin(kOpening), std::end(kOpening), std::string_view(dynamic.names + symbol.st_name))) return true;
    }
  }
  return false;
}

int look_at(dl_phdr_info* info, std::size_t, void* found) {
  std::uintptr_t code = 0;
  for (int i = 0; i < info->dlpi_phnum && code == 0; ++i)
    if (info->dlpi_phdr[i].p_type == PT_LOAD && (info->dlpi_phdr[i].p_flags & PF_X) != 0) code = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;
  const bool is_vdso = std::string_view(info->dlpi_name).starts_with("linux-vdso");
  if (code != 0 && !is_vdso && !is_libc(code) && !is_ours(code) && can_open_files(*info)) *static_cast<bool*>(found) = true;
  return 0;
}

}  // namespace

void OpenFiles::begin() {
  first_ = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 0);
  if (first_ >= 0) close(first_);
  may_be_there_ = false;
  dl_iterate_phdr(look_at, &may_be_there_);
}

bool OpenFiles::ask() {
  ++asked_;
  const bool are_there = fcntl(first_, F_GETFD) >= 0;
  if (are_there && !may_be_there_) {
    may_be_there_ = true;
    came_unseen_ = not_asked_ > 0;
  }
  return are_there;
}

}  // namespace ordeal::runtime
