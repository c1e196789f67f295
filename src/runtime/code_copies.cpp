#include "runtime/code_copies.h"

#include <fcntl.h>
#include <link.h>
#include <sys/mman.h>
#include <unistd.h>

namespace ordeal::runtime {
namespace {

constexpr std::uintptr_t kPage = 4096;
// Far from everything else (layout.h, race_shadow.h), so that nothing lies elsewhere because of them.
std::uintptr_t next_place = 0x280000000000;

/// The file's part is mapped once more, as far as it is code.
void copy_segment(const dl_phdr_info& info, const ElfW(Phdr)& header, int file) {
  const std::uintptr_t before = header.p_offset % kPage;
  const std::size_t size = header.p_filesz + before;
  void* copy = mmap(reinterpret_cast<void*>(next_place), size, PROT_READ, MAP_PRIVATE, file, static_cast<off_t>(header.p_offset - before));
  if (copy == MAP_FAILED || code_copy_count == kMostCodeCopies) return;
  next_place += (size / kPage + 2) * kPage;
  const std::uintptr_t begin = info.dlpi_addr + header.p_vaddr;
  code_copies[code_copy_count++] = {begin, begin + header.p_filesz, static_cast<std::ptrdiff_t>(reinterpret_cast<std::uintptr_t>(copy) + before - begin)};
}

int copy_module(dl_phdr_info* info, std::size_t, void* is_first) {
  const bool is_program = *static_cast<bool*>(is_first);
  *static_cast<bool*>(is_first) = false;
  const int file = open(is_program ? "/proc/self/exe" : info->dlpi_name, O_RDONLY | O_CLOEXEC);
  if (file < 0) return 0;
  for (int i = 0; i < info->dlpi_phnum; ++i)
    if (info->dlpi_phdr[i].p_type == PT_LOAD && (info->dlpi_phdr[i].p_flags & PF_X) != 0) copy_segment(*info, info->dlpi_phdr[i], file);
  close(file);
  return 0;
}

}  // namespace

void keep_code_without_breakpoints() {
  bool is_first = true;
  dl_iterate_phdr(&copy_module, &is_first);
}

}  // namespace ordeal::runtime
