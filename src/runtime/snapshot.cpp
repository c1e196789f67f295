#include "runtime/snapshot.h"

#include <link.h>
#include <sys/mman.h>

#include <algorithm>
#include <cstring>

#include "runtime/host.h"
#include "runtime/modules.h"

namespace ordeal::runtime {
namespace {

constexpr std::uintptr_t kPage = 4096;
constexpr int kMaxSegments = 256;

struct Range {
  std::uintptr_t begin = 0, end = 0;
};

struct Segment {
  std::uintptr_t begin, end;  // whole pages
  std::uintptr_t used_end;    // behind that the last page has nothing
  Range calls;                // where the loader puts the addresses of functions when they are first called
  unsigned char* saved;
  bool* is_hot;
};
Segment segments[kMaxSegments];
int segment_count = 0;

/// Of a hot page: what is used of it, or of that what is before or behind its segment's `calls`.
struct Hot {
  std::uintptr_t begin;
  std::size_t size;
  unsigned char* saved;
};
Hot* hot = nullptr;
std::size_t hot_count = 0, hot_size = 0;

/// A program that goes a bit beyond its last variable should find there what it found before.
constexpr std::uintptr_t kBeyond = 256;

void add(std::uintptr_t begin, std::uintptr_t end, Range calls) {
  const std::uintptr_t used_end = end + kBeyond;
  begin = begin / kPage * kPage;
  end = (end + kPage - 1) / kPage * kPage;
  if (begin >= end || segment_count == kMaxSegments) return;
  segments[segment_count++] = {begin, end, std::min(used_end, end), calls, nullptr, nullptr};
}

/// The addresses of functions of other modules, which the loader fills in at their first call. They are the same for ever: were they
/// put back, each execution would look for the functions anew.
Range calls_of(const dl_phdr_info& info) {
  const ElfW(Rela)* relocations = nullptr;
  std::size_t count = 0;
  for (int i = 0; i < info.dlpi_phnum; ++i) {
    if (info.dlpi_phdr[i].p_type != PT_DYNAMIC) continue;
    for (const auto* entry = reinterpret_cast<const ElfW(Dyn)*>(info.dlpi_addr + info.dlpi_phdr[i].p_vaddr); entry->d_tag != DT_NULL; ++entry) {
      if (entry->d_tag == DT_JMPREL) relocations = reinterpret_cast<const ElfW(Rela)*>(entry->d_un.d_ptr);  // libc has added the base
      if (entry->d_tag == DT_PLTRELSZ) count = entry->d_un.d_val / sizeof(ElfW(Rela));
    }
  }
  if (count == 0 || reinterpret_cast<std::uintptr_t>(relocations) < info.dlpi_addr) return {};
  std::uintptr_t lowest = relocations->r_offset, highest = lowest;
  for (std::size_t i = 0; i < count; ++i) {
    lowest = std::min(lowest, relocations[i].r_offset);
    highest = std::max(highest, relocations[i].r_offset);
  }
  if (highest - lowest != (count - 1) * sizeof(void*)) return {};  // something else lies between
  return {info.dlpi_addr + lowest, info.dlpi_addr + highest + sizeof(void*)};
}

/// Writable segments, without the part that is read-only after relocation.
int add_module(dl_phdr_info* info, std::size_t, void*) {
  if (!is_restored_module(*info)) return 0;
  std::uintptr_t relro_begin = 0, relro_end = 0;
  for (int i = 0; i < info->dlpi_phnum; ++i)
    if (info->dlpi_phdr[i].p_type == PT_GNU_RELRO) {
      relro_begin = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;
      relro_end = (relro_begin + info->dlpi_phdr[i].p_memsz) / kPage * kPage;
    }
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const ElfW(Phdr)& header = info->dlpi_phdr[i];
    if (header.p_type != PT_LOAD || (header.p_flags & PF_W) == 0) continue;
    std::uintptr_t begin = info->dlpi_addr + header.p_vaddr;
    const std::uintptr_t end = begin + header.p_memsz;
    if (relro_begin < relro_end && begin <= relro_begin && relro_end <= end) begin = relro_end;
    if (begin < end) add(begin, end, calls_of(*info));
  }
  return 0;
}

}  // namespace

void Snapshot::take() {
  segment_count = 0;
  dl_iterate_phdr(&add_module, nullptr);
  std::size_t pages = 0;
  for (int i = 0; i < segment_count; ++i) pages += (segments[i].end - segments[i].begin) / kPage;
  hot = static_cast<Hot*>(host_allocate(sizeof(Hot) * (2 * pages + 1)));
  for (int i = 0; i < segment_count; ++i) {
    Segment& segment = segments[i];
    const std::size_t size = segment.end - segment.begin;
    segment.saved = static_cast<unsigned char*>(host_allocate(size));
    segment.is_hot = static_cast<bool*>(host_allocate(size / kPage));
    std::memset(segment.is_hot, 0, size / kPage);
    std::memcpy(segment.saved, reinterpret_cast<void*>(segment.begin), size);
  }
  for (int i = 0; i < segment_count; ++i)
    mprotect(reinterpret_cast<void*>(segments[i].begin), segments[i].end - segments[i].begin, PROT_READ);
}

void Snapshot::restore() {
  for (std::size_t i = 0; i < hot_count; ++i) std::memcpy(reinterpret_cast<void*>(hot[i].begin), hot[i].saved, hot[i].size);
}

void Snapshot::keep(std::vector<unsigned char>& image) {
  image.resize(hot_size);
  unsigned char* to = image.data();
  for (std::size_t i = 0; i < hot_count; to += hot[i++].size) std::memcpy(to, reinterpret_cast<void*>(hot[i].begin), hot[i].size);
}

/// What became hot later was as at first.
void Snapshot::go_back(const std::vector<unsigned char>& image) {
  const unsigned char* from = image.data();
  const unsigned char* const end = from + image.size();
  for (std::size_t i = 0; i < hot_count; ++i) {
    const bool was_hot = from != end;
    std::memcpy(reinterpret_cast<void*>(hot[i].begin), was_hot ? from : hot[i].saved, hot[i].size);
    if (was_hot) from += hot[i].size;
  }
}

namespace {

void heat(const Segment& segment, std::uintptr_t begin, std::uintptr_t end) {
  end = std::min(end, segment.used_end);
  if (begin >= end) return;
  hot[hot_count++] = {begin, end - begin, segment.saved + (begin - segment.begin)};
  hot_size += end - begin;
}

}  // namespace

bool Snapshot::heat(std::uintptr_t address) {
  for (int i = 0; i < segment_count; ++i) {
    Segment& segment = segments[i];
    if (address < segment.begin || address >= segment.end) continue;
    const std::size_t number = (address - segment.begin) / kPage;
    if (segment.is_hot[number]) return false;
    segment.is_hot[number] = true;
    const std::uintptr_t page = segment.begin + number * kPage, end = page + kPage;
    if (segment.calls.begin < end && segment.calls.end > page) {
      runtime::heat(segment, page, segment.calls.begin);
      runtime::heat(segment, segment.calls.end, end);
    } else {
      runtime::heat(segment, page, end);
    }
    return mprotect(reinterpret_cast<void*>(page), kPage, PROT_READ | PROT_WRITE) == 0;
  }
  return false;
}

std::size_t Snapshot::hot_parts() { return hot_count; }
std::span<const unsigned char> Snapshot::hot_part(std::size_t i) { return {reinterpret_cast<const unsigned char*>(hot[i].begin), hot[i].size}; }

bool Snapshot::contains(std::uintptr_t address) {
  for (int i = 0; i < segment_count; ++i)
    if (address >= segments[i].begin && address < segments[i].end) return true;
  return false;
}

}  // namespace ordeal::runtime
