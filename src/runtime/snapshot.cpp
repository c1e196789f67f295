#include "runtime/snapshot.h"

#include <link.h>
#include <sys/mman.h>

#include <cstring>

#include "runtime/host.h"
#include "runtime/modules.h"

namespace ordeal::runtime {
namespace {

constexpr std::uintptr_t kPage = 4096;
constexpr int kMaxSegments = 256;

struct Segment {
  std::uintptr_t begin, end;  // whole pages
  unsigned char* saved;
  bool* is_hot;
};
Segment segments[kMaxSegments];
int segment_count = 0;

struct Hot {
  std::uintptr_t page;
  unsigned char* saved;
};
Hot* hot = nullptr;
std::size_t hot_count = 0;

void add(std::uintptr_t begin, std::uintptr_t end) {
  begin = begin / kPage * kPage;
  end = (end + kPage - 1) / kPage * kPage;
  if (begin >= end || segment_count == kMaxSegments) return;
  segments[segment_count++] = {begin, end, nullptr, nullptr};
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
    if (begin < end) add(begin, end);
  }
  return 0;
}

}  // namespace

void Snapshot::take() {
  segment_count = 0;
  dl_iterate_phdr(&add_module, nullptr);
  std::size_t pages = 0;
  for (int i = 0; i < segment_count; ++i) pages += (segments[i].end - segments[i].begin) / kPage;
  hot = static_cast<Hot*>(host_allocate(sizeof(Hot) * (pages + 1)));
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
  for (std::size_t i = 0; i < hot_count; ++i) std::memcpy(reinterpret_cast<void*>(hot[i].page), hot[i].saved, kPage);
}

void Snapshot::keep(std::vector<unsigned char>& image) {
  image.resize(hot_count * kPage);
  for (std::size_t i = 0; i < hot_count; ++i) std::memcpy(image.data() + i * kPage, reinterpret_cast<void*>(hot[i].page), kPage);
}

/// Pages that became hot later were as at first.
void Snapshot::go_back(const std::vector<unsigned char>& image) {
  const std::size_t kept = image.size() / kPage;
  for (std::size_t i = 0; i < hot_count; ++i)
    std::memcpy(reinterpret_cast<void*>(hot[i].page), i < kept ? image.data() + i * kPage : hot[i].saved, kPage);
}

bool Snapshot::heat(std::uintptr_t address) {
  for (int i = 0; i < segment_count; ++i) {
    Segment& segment = segments[i];
    if (address < segment.begin || address >= segment.end) continue;
    const std::size_t page = (address - segment.begin) / kPage;
    if (segment.is_hot[page]) return false;
    segment.is_hot[page] = true;
    hot[hot_count++] = {segment.begin + page * kPage, segment.saved + page * kPage};
    return mprotect(reinterpret_cast<void*>(segment.begin + page * kPage), kPage, PROT_READ | PROT_WRITE) == 0;
  }
  return false;
}

std::size_t Snapshot::hot_pages() { return hot_count; }
const void* Snapshot::hot_page(std::size_t i) { return reinterpret_cast<const void*>(hot[i].page); }

bool Snapshot::contains(std::uintptr_t address) {
  for (int i = 0; i < segment_count; ++i)
    if (address >= segments[i].begin && address < segments[i].end) return true;
  return false;
}

}  // namespace ordeal::runtime
