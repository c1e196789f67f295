#include "runtime/modules.h"

#include <cstring>
#include <initializer_list>

namespace ordeal::runtime {
namespace {

struct Range {
  std::uintptr_t begin, end;
};
Range libc_ranges[8];
int libc_count = 0;
Range own_range{}, libgcc_range{}, libstdcxx_range{};

bool starts_with(const char* text, const char* prefix) { return std::strncmp(text, prefix, std::strlen(prefix)) == 0; }

const char* file_name(const dl_phdr_info& info) {
  const char* slash = std::strrchr(info.dlpi_name, '/');
  return slash != nullptr ? slash + 1 : info.dlpi_name;
}

bool is_system_library(const char* name) {
  for (const char* prefix : {"libc.", "libc-", "ld-linux", "libm.", "libm-", "libpthread", "libdl", "librt.", "libgcc_s", "libordeal", "linux-vdso"})
    if (starts_with(name, prefix)) return true;
  return false;
}

Range whole_range(const dl_phdr_info& info) {
  Range range{~std::uintptr_t{0}, 0};
  for (int i = 0; i < info.dlpi_phnum; ++i) {
    const ElfW(Phdr)& header = info.dlpi_phdr[i];
    if (header.p_type != PT_LOAD) continue;
    const std::uintptr_t begin = info.dlpi_addr + header.p_vaddr;
    if (begin < range.begin) range.begin = begin;
    if (begin + header.p_memsz > range.end) range.end = begin + header.p_memsz;
  }
  return range;
}

int note_libc(dl_phdr_info* info, std::size_t, void*) {
  const char* name = file_name(*info);
  if ((starts_with(name, "libc.") || starts_with(name, "libc-") || starts_with(name, "ld-linux")) && libc_count < 8)
    libc_ranges[libc_count++] = whole_range(*info);
  const Range range = whole_range(*info);
  if (starts_with(name, "libgcc_s")) libgcc_range = range;
  if (starts_with(name, "libstdc++")) libstdcxx_range = range;
  const auto here = reinterpret_cast<std::uintptr_t>(&note_libc);
  if (here >= range.begin && here < range.end) own_range = range;
  return 0;
}

}  // namespace

bool is_restored_module(const dl_phdr_info& info) { return !is_system_library(file_name(info)); }

void find_libc() {
  libc_count = 0;
  dl_iterate_phdr(&note_libc, nullptr);
}

bool is_libstdcxx(std::uintptr_t code) { return code >= libstdcxx_range.begin && code < libstdcxx_range.end; }
bool is_libgcc(std::uintptr_t code) { return code >= libgcc_range.begin && code < libgcc_range.end; }
bool is_ours(std::uintptr_t code) { return code >= own_range.begin && code < own_range.end; }

bool is_libc(std::uintptr_t code) {
  for (int i = 0; i < libc_count; ++i)
    if (code >= libc_ranges[i].begin && code < libc_ranges[i].end) return true;
  return false;
}

}  // namespace ordeal::runtime
