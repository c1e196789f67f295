// malloc and its family. The running program gets memory from its own heap (heap.h); the engine, libc and everything
// before the program starts from the host's. A block is freed where it came from.
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "runtime/abi.h"
#include "runtime/access.h"
#include "runtime/heap.h"
#include "runtime/host.h"
#include "runtime/modules.h"
#include "runtime/snapshot.h"
#include "runtime/spin.h"

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

void* allocate(std::size_t size, std::size_t alignment, bool clear, std::uintptr_t site) {
  NativeProgram& program = *NativeProgram::instance;
  flush_pending_write();
  note_effect(*NativeProgram::current);
  void* block = ProgramHeap::allocate(NativeProgram::current->id, NativeProgram::current->hb[NativeProgram::current->id], size, alignment, clear, program.stack_here(site));
  if (block != nullptr) return block;
  if (size < kHeapStride) program.refuse("more than 512 MB of memory, allocated by one thread in one execution (what is freed counts)", site);
  errno = ENOMEM;
  return nullptr;
}

void release(void* block, std::uintptr_t site) {
  NativeProgram& program = *NativeProgram::instance;
  const Block found = ProgramHeap::find(reinterpret_cast<std::uintptr_t>(block));
  if (found.address != 0 && ProgramHeap::state(found.address) >= ProgramHeap::State::kLive && found.address == reinterpret_cast<std::uintptr_t>(block))
    note_freed(found.address, found.size, site);
  const auto result = ProgramHeap::release(block, NativeProgram::current->id, program.stack_here(site));
  if (result == ProgramHeap::FreeResult::kDone) return;
  Failure failure;
  failure.kind = result == ProgramHeap::FreeResult::kTwice ? trace::BugKind::kDoubleFree : trace::BugKind::kInvalidFree;
  failure.address = reinterpret_cast<std::uintptr_t>(block);
  failure.site = static_cast<std::uint32_t>(site);
  failure.sides.push_back({NativeProgram::current->id, "frees it", failure.address, program.stack_here(site), failure.site});
  if (found.freed_by >= 0) failure.sides.push_back({found.freed_by, "freed it before", failure.address, found.freed, 0});
  program.fail(std::move(failure));
}

void* reallocate(void* block, std::size_t size, std::uintptr_t site) {
  const Block found = ProgramHeap::find(reinterpret_cast<std::uintptr_t>(block));
  if (found.address != reinterpret_cast<std::uintptr_t>(block)) release(block, site);  // a bug: it ends here
  void* larger = allocate(size, 16, false, site);
  if (larger == nullptr) return nullptr;
  const std::size_t kept = found.size < size ? found.size : size;
  if (ProgramHeap::is_live(found.address)) {
    plain_read(found.address, kept, site);
    plain_write(reinterpret_cast<std::uintptr_t>(larger), kept, site);
  }
  std::memcpy(larger, block, kept);
  release(block, site);
  return larger;
}

}  // namespace

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
  if (is_programs(ORDEAL_SITE)) return allocate(size, 16, false, ORDEAL_SITE);
  return on_host([&] { return __libc_malloc(size); });
}
ORDEAL_ABI void* calloc(std::size_t count, std::size_t size) {
  std::size_t total;
  if (__builtin_mul_overflow(count, size, &total)) return nullptr;
  if (is_programs(ORDEAL_SITE)) return allocate(total, 16, true, ORDEAL_SITE);
  return on_host([&] { return __libc_calloc(count, size); });
}
ORDEAL_ABI void free(void* block) {
  if (block == nullptr) return;
  const auto address = reinterpret_cast<std::uintptr_t>(block);
  const bool is_variable = is_checked() && (is_stack(address) || Snapshot::contains(address));
  if (!is_programs_block(block) && !is_variable) host_free(block);
  else if (is_checked()) release(block, ORDEAL_SITE);
}
ORDEAL_ABI void* realloc(void* block, std::size_t size) {
  if (block == nullptr && is_programs(ORDEAL_SITE)) return allocate(size, 16, false, ORDEAL_SITE);
  if (!is_programs_block(block)) return on_host([&] { return __libc_realloc(block, size); });
  return is_checked() ? reallocate(block, size, ORDEAL_SITE) : nullptr;
}
ORDEAL_ABI void* reallocarray(void* block, std::size_t count, std::size_t size) {
  std::size_t total;
  if (__builtin_mul_overflow(count, size, &total)) return nullptr;
  if (block == nullptr && is_programs(ORDEAL_SITE)) return allocate(total, 16, false, ORDEAL_SITE);
  if (!is_programs_block(block)) return on_host([&] { return __libc_realloc(block, total); });
  return is_checked() ? reallocate(block, total, ORDEAL_SITE) : nullptr;
}
ORDEAL_ABI void* memalign(std::size_t alignment, std::size_t size) {
  if (is_programs(ORDEAL_SITE)) return allocate(size, alignment, false, ORDEAL_SITE);
  return on_host([&] { return __libc_memalign(alignment, size); });
}
ORDEAL_ABI void* aligned_alloc(std::size_t alignment, std::size_t size) {
  if (is_programs(ORDEAL_SITE)) return allocate(size, alignment, false, ORDEAL_SITE);
  return on_host([&] { return __libc_memalign(alignment, size); });
}
ORDEAL_ABI int posix_memalign(void** block, std::size_t alignment, std::size_t size) {
  if (alignment % sizeof(void*) != 0 || (alignment & (alignment - 1)) != 0) return EINVAL;
  *block = is_programs(ORDEAL_SITE) ? allocate(size, alignment, false, ORDEAL_SITE) : on_host([&] { return __libc_memalign(alignment, size); });
  return *block == nullptr ? ENOMEM : 0;
}
