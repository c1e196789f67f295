// malloc and its family. The running program gets memory from its own heap (heap.h); the engine, libc and everything
// before the program starts from the host's. A block is freed where it came from.
#include <dlfcn.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <utility>

#include "runtime/abi.h"
#include "runtime/access.h"
#include "runtime/allocation.h"
#include "runtime/annotations.h"
#include "runtime/heap.h"
#include "runtime/host.h"
#include "runtime/loops/trace.h"
#include "runtime/modules.h"
#include "runtime/snapshot.h"
#include "runtime/testing.h"

extern "C" {
void* __libc_malloc(std::size_t);
void* __libc_calloc(std::size_t, std::size_t);
void* __libc_realloc(void*, std::size_t);
void* __libc_memalign(std::size_t, std::size_t);
void __libc_free(void*);
}

namespace ordeal::runtime {
namespace {

/// glibc's heap keeps caches in thread-local storage: only the engine's may be used.
template <class Call>
auto on_host(Call&& call) {
  if (!Fiber::is_running()) return call();
  const std::uintptr_t own = thread_pointer();
  set_thread_pointer(Fiber::engine_thread_pointer());
  const auto result = call();
  set_thread_pointer(own);
  return result;
}

bool is_programs(std::uintptr_t site) { return is_checked() && !is_libc(site); }
bool is_programs_block(const void* block) { return is_heap(reinterpret_cast<std::uintptr_t>(block)); }

const char* name_of(AllocatedBy by) {
  constexpr const char* kNames[] = {"malloc()", "new", "new[]"};
  return kNames[static_cast<int>(by)];
}

[[noreturn]] void fail(trace::BugKind kind, std::string message, const Block& block, const void* freed, std::uintptr_t site) {
  NativeProgram& program = *NativeProgram::instance;
  Failure failure;
  failure.kind = kind;
  failure.message = std::move(message);
  failure.address = reinterpret_cast<std::uintptr_t>(freed);
  failure.site = static_cast<std::uint32_t>(site);
  failure.sides.push_back({NativeProgram::current->id, "frees it", failure.address, program.stack_here(site), failure.site});
  if (block.freed_by >= 0) failure.sides.push_back({block.freed_by, "freed it before", failure.address, block.freed, 0});
  program.fail(std::move(failure));
}

/// Whether the block may be given back like this.
bool fits(const Block& block, const Release& release) {
  return are_operators_replaced() || (block.origin.by == release.fits && block.origin.alignment == release.alignment && (!release.is_sized || block.size == release.size));
}

/// What is wrong if not.
std::string mismatch(const Block& block, const Release& release) {
  const std::string from = std::string("memory from ") + name_of(block.origin.by), to = std::string(" is given to ") + release.by;
  if (block.origin.by != release.fits) return from + to;
  if (block.origin.alignment != release.alignment) {
    const auto aligned = [](std::uint8_t bits) { return bits == 0 ? std::string(" without an alignment") : " with an alignment of " + std::to_string(std::size_t{1} << bits); };
    return from + aligned(block.origin.alignment) + to + aligned(release.alignment);
  }
  return std::to_string(block.size) + " bytes from " + name_of(block.origin.by) + " are given to " + release.by + " as " + std::to_string(release.size) + " bytes (another type?)";
}

/// Allocating and freeing are writes, which the program may ask to ignore.
std::uintptr_t unless_ignored(std::uintptr_t site) {
  return Annotations::ignores && NativeProgram::current->ignored_writes > 0 ? Annotations::kIgnoredSite : site;
}

void release_block(void* block, const Release& release) {
  NativeProgram& program = *NativeProgram::instance;
  const Block found = ProgramHeap::find(reinterpret_cast<std::uintptr_t>(block));
  if (found.address != 0 && ProgramHeap::state(found.address) != ProgramHeap::State::kFreed && found.address == reinterpret_cast<std::uintptr_t>(block)) {
    note_freed(found.address, found.size, ends_shared_text(release.site) ? Annotations::kOrderedSite : unless_ignored(release.site));
    if (!fits(found, release)) fail(trace::BugKind::kMismatchedFree, mismatch(found, release), found, block, release.site);
  }
  const auto result = ProgramHeap::release(block, found, NativeProgram::current->id, program.stack_here(release.site));
  if (result == ProgramHeap::FreeResult::kDone) return;
  fail(result == ProgramHeap::FreeResult::kTwice ? trace::BugKind::kDoubleFree : trace::BugKind::kInvalidFree, {}, found, block, release.site);
}

Origin origin_of(std::uintptr_t site) { return {AllocatedBy::kMalloc, 0, static_cast<std::uint32_t>(site)}; }

void* reallocate(void* block, std::size_t size, std::uintptr_t site) {
  Release release;
  release.by = "realloc()";
  release.site = site;
  const Block found = ProgramHeap::find(reinterpret_cast<std::uintptr_t>(block));
  if (found.address != reinterpret_cast<std::uintptr_t>(block)) release_block(block, release);  // a bug: it ends here
  void* larger = size == 0 ? nullptr : allocate(size, 16, false, origin_of(site));  // glibc: no bytes are none
  if (larger == nullptr && size > 0) return nullptr;
  const std::size_t kept = found.size < size ? found.size : size;
  if (ProgramHeap::is_live(found.address)) {
    plain_read(found.address, kept, site);
    plain_write(reinterpret_cast<std::uintptr_t>(larger), kept, site);
  }
  if (kept > 0) std::memcpy(larger, block, kept);
  release_block(block, release);
  return larger;
}

}  // namespace

void* allocate(std::size_t size, std::size_t alignment, bool clear, Origin origin) {
  NativeProgram& program = *NativeProgram::instance;
  flush_pending_write();
  const std::uintptr_t site = origin.site;
  note_effect(*NativeProgram::current, trace::KeptBy::kAllocation, NativeProgram::current->site >> 32 << 32 | site);  // 32 bits are kept; they lie in one module, most of the time
  const std::uint32_t stack = program.stack_here(site);
  origin.site = static_cast<std::uint32_t>(unless_ignored(site));
  void* block = ProgramHeap::allocate(NativeProgram::current->id, NativeProgram::current->hb[NativeProgram::current->id], size, alignment, clear, stack, origin);
  if (block != nullptr) {
    if (is_testing) Testing::note_allocated(reinterpret_cast<std::uintptr_t>(block), size, site);
    return block;
  }
  if (size < kHeapStride && !is_testing) program.refuse("more than 512 MB of memory, allocated by one thread in one execution (what is freed counts)", site);
  errno = ENOMEM;
  return nullptr;
}

void give_back(void* block, const Release& release) {
  if (block == nullptr) return;
  const auto address = reinterpret_cast<std::uintptr_t>(block);
  const bool is_programs = is_programs_block(block) || (is_checked() && (is_stack(address) || Snapshot::contains(address)));
  if (!is_programs) host_free(block);
  else if (is_checked()) release_block(block, release);
}

void* host_allocate(std::size_t size) {
  return on_host([&] { return __libc_malloc(size); });
}
void host_free(void* block) {
  on_host([&] {
    __libc_free(block);
    return 0;
  });
}

}  // namespace ordeal::runtime

using namespace ordeal::runtime;

ORDEAL_ABI void* malloc(std::size_t size) {
  if (is_programs(ORDEAL_SITE)) return allocate(size, 16, false, origin_of(ORDEAL_SITE));
  return on_host([&] { return __libc_malloc(size); });
}
ORDEAL_ABI void* calloc(std::size_t count, std::size_t size) {
  std::size_t total;
  if (__builtin_mul_overflow(count, size, &total)) return nullptr;
  if (is_programs(ORDEAL_SITE)) return allocate(total, 16, true, origin_of(ORDEAL_SITE));
  return on_host([&] { return __libc_calloc(count, size); });
}
ORDEAL_ABI void free(void* block) {
  Release release;
  release.site = ORDEAL_SITE;
  give_back(block, release);
}
ORDEAL_ABI void* realloc(void* block, std::size_t size) {
  if (block == nullptr && is_programs(ORDEAL_SITE)) return allocate(size, 16, false, origin_of(ORDEAL_SITE));
  if (!is_programs_block(block)) return on_host([&] { return __libc_realloc(block, size); });
  return is_checked() ? reallocate(block, size, ORDEAL_SITE) : nullptr;
}
ORDEAL_ABI void* reallocarray(void* block, std::size_t count, std::size_t size) {
  std::size_t total;
  if (__builtin_mul_overflow(count, size, &total)) return nullptr;
  if (block == nullptr && is_programs(ORDEAL_SITE)) return allocate(total, 16, false, origin_of(ORDEAL_SITE));
  if (!is_programs_block(block)) return on_host([&] { return __libc_realloc(block, total); });
  return is_checked() ? reallocate(block, total, ORDEAL_SITE) : nullptr;
}
ORDEAL_ABI std::size_t malloc_usable_size(void* block) {
  using Function = std::size_t (*)(void*);
  if (block == nullptr) return 0;
  if (is_programs_block(block)) return ProgramHeap::find(reinterpret_cast<std::uintptr_t>(block)).size;
  return reinterpret_cast<Function>(dlsym(RTLD_NEXT, "malloc_usable_size"))(block);
}

namespace {

void* allocate_aligned(std::size_t alignment, std::size_t size, std::uintptr_t site) {
  if (is_programs(site)) return allocate(size, alignment, false, origin_of(site));
  return on_host([&] { return __libc_memalign(alignment, size); });
}

constexpr std::size_t kPage = 4096;

}  // namespace

ORDEAL_ABI void* memalign(std::size_t alignment, std::size_t size) { return allocate_aligned(alignment, size, ORDEAL_SITE); }
ORDEAL_ABI void* aligned_alloc(std::size_t alignment, std::size_t size) { return allocate_aligned(alignment, size, ORDEAL_SITE); }
ORDEAL_ABI void* valloc(std::size_t size) { return allocate_aligned(kPage, size, ORDEAL_SITE); }
ORDEAL_ABI void* pvalloc(std::size_t size) { return allocate_aligned(kPage, (size + kPage - 1) / kPage * kPage, ORDEAL_SITE); }
ORDEAL_ABI int posix_memalign(void** block, std::size_t alignment, std::size_t size) {
  if (alignment == 0 || alignment % sizeof(void*) != 0 || (alignment & (alignment - 1)) != 0) return EINVAL;
  if (is_programs(ORDEAL_SITE)) plain_write(reinterpret_cast<std::uintptr_t>(block), sizeof *block, ORDEAL_SITE);
  void* made = allocate_aligned(alignment, size, ORDEAL_SITE);
  if (made == nullptr) return ENOMEM;
  *block = made;
  return 0;
}
