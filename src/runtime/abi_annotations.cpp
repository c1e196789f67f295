// ThreadSanitizer's annotations, which libraries call when they are compiled for it, with the meaning that they have there.
//
// Release and acquire are read-modify-writes of a location of their own, named by the address: an acquire that po ∪ rf puts behind
// a release cannot come before it in their order, so there is an edge wherever there is a cause. Of a mutex that is held for reading,
// the releases go to a second location that only writers acquire: readers do not order each other.
#include <cstddef>
#include <cstdint>

#include "runtime/abi.h"
#include "runtime/access.h"
#include "runtime/annotations.h"
#include "runtime/loops/trace.h"
#include "runtime/milestones.h"
#include "runtime/testing.h"

namespace ordeal::runtime {
namespace {

using model::MemoryOrder;

enum class Side : std::uint32_t { kWriters, kReaders };

void synchronise(const volatile void* address, Side side, MemoryOrder order, std::uintptr_t site) {
  if (!is_checked()) return;
  flush_pending_write();
  model::Access access;
  access.kind = model::EventKind::kRead;
  access.order = order;
  access.bits = 64;
  access.is_signed = false;
  access.function = model::RmwFunction::kAdd;
  access.location = NativeProgram::instance->location_table().at(
      reinterpret_cast<std::uintptr_t>(address), static_cast<std::uint32_t>(side), LocationSort::kAnnotation);
  sync_operation(engine::OperationKind::kRmw, access, site);
  if (order == MemoryOrder::kRelease) note_release(*NativeProgram::current, site);
}

void release(const volatile void* address, std::uintptr_t site) {
  synchronise(address, Side::kWriters, MemoryOrder::kRelease, site);
}
void acquire(const volatile void* address, std::uintptr_t site) {
  synchronise(address, Side::kWriters, MemoryOrder::kAcquire, site);
}

void note_locked(const volatile void* mutex, bool is_reading, std::uintptr_t site) {
  acquire(mutex, site);
  if (!is_reading) synchronise(mutex, Side::kReaders, MemoryOrder::kAcquire, site);
}
void note_unlocked(const volatile void* mutex, bool is_reading, std::uintptr_t site) {
  synchronise(mutex, is_reading ? Side::kReaders : Side::kWriters, MemoryOrder::kRelease, site);
}

/// Of the running thread, counted up or down.
void ignore(int reads, int writes) {
  if (!is_checked()) return;
  flush_pending_write();
  Annotations::ignores = true;
  Testing::note_ignoring();
  NativeProgram::current->ignored_reads += reads;
  NativeProgram::current->ignored_writes += writes;
}

void allow_races(const volatile void* address, std::size_t size) {
  if (!is_checked()) return;
  Milestones::forbid();
  Annotations::allow_races(reinterpret_cast<std::uintptr_t>(address), size);
}

void refuse(const char* name, std::uintptr_t site) {
  if (!is_checked()) return;
  flush_pending_write();
  NativeProgram::instance->refuse(std::string(name) + " is not supported", site);
}

// Flags of __tsan_mutex_*, as <sanitizer/tsan_interface.h> has them.
constexpr unsigned kReadLock = 1U << 3, kTryLockFailed = 1U << 5;

}  // namespace
}  // namespace ordeal::runtime

using namespace ordeal::runtime;

ORDEAL_ABI void __tsan_acquire(void* address) { acquire(address, ORDEAL_SITE); }
ORDEAL_ABI void __tsan_release(void* address) { release(address, ORDEAL_SITE); }
ORDEAL_ABI void __tsan_mutex_post_lock(void* mutex, unsigned flags, int) {
  if ((flags & kTryLockFailed) == 0) note_locked(mutex, (flags & kReadLock) != 0, ORDEAL_SITE);
}
/// How often the mutex was held.
ORDEAL_ABI int __tsan_mutex_pre_unlock(void* mutex, unsigned flags) {
  note_unlocked(mutex, (flags & kReadLock) != 0, ORDEAL_SITE);
  return 1;
}

ORDEAL_ABI void AnnotateHappensBefore(const char*, int, const volatile void* address) { release(address, ORDEAL_SITE); }
ORDEAL_ABI void AnnotateHappensAfter(const char*, int, const volatile void* address) { acquire(address, ORDEAL_SITE); }
ORDEAL_ABI void AnnotateRWLockAcquired(const char*, int, const volatile void* lock, long is_writing) {
  note_locked(lock, is_writing == 0, ORDEAL_SITE);
}
ORDEAL_ABI void AnnotateRWLockReleased(const char*, int, const volatile void* lock, long is_writing) {
  note_unlocked(lock, is_writing == 0, ORDEAL_SITE);
}

ORDEAL_ABI void AnnotateIgnoreReadsBegin(const char*, int) { ignore(1, 0); }
ORDEAL_ABI void AnnotateIgnoreReadsEnd(const char*, int) { ignore(-1, 0); }
ORDEAL_ABI void AnnotateIgnoreWritesBegin(const char*, int) { ignore(0, 1); }
ORDEAL_ABI void AnnotateIgnoreWritesEnd(const char*, int) { ignore(0, -1); }
ORDEAL_ABI void __tsan_ignore_thread_begin() { ignore(1, 1); }
ORDEAL_ABI void __tsan_ignore_thread_end() { ignore(-1, -1); }
ORDEAL_ABI void AnnotateBenignRace(const char*, int, const volatile void* address, const char*) {
  allow_races(address, 1);
}
ORDEAL_ABI void AnnotateBenignRaceSized(const char*, int, const volatile void* address, std::size_t size, const char*) {
  allow_races(address, size);
}

#define ORDEAL_REFUSED_ANNOTATION(NAME) \
  ORDEAL_ABI void* NAME() {             \
    refuse(#NAME, ORDEAL_SITE);         \
    return nullptr;                     \
  }
ORDEAL_REFUSED_ANNOTATION(__tsan_get_current_fiber)
ORDEAL_REFUSED_ANNOTATION(__tsan_create_fiber)
ORDEAL_REFUSED_ANNOTATION(__tsan_destroy_fiber)
ORDEAL_REFUSED_ANNOTATION(__tsan_switch_to_fiber)
ORDEAL_REFUSED_ANNOTATION(__tsan_set_fiber_name)
ORDEAL_REFUSED_ANNOTATION(AnnotateIgnoreSyncBegin)

// These say nothing about order, there as here. Arguments are left in their registers.
#define ORDEAL_ANNOTATION(NAME) \
  ORDEAL_ABI void NAME() {}
ORDEAL_ANNOTATION(AnnotateCondVarSignal)
ORDEAL_ANNOTATION(AnnotateCondVarSignalAll)
ORDEAL_ANNOTATION(AnnotateCondVarWait)
ORDEAL_ANNOTATION(AnnotateEnableRaceDetection)
ORDEAL_ANNOTATION(AnnotateExpectRace)
ORDEAL_ANNOTATION(AnnotateFlushExpectedRaces)
ORDEAL_ANNOTATION(AnnotateFlushState)
ORDEAL_ANNOTATION(AnnotateIgnoreSyncEnd)
ORDEAL_ANNOTATION(AnnotateMemoryIsInitialized)
ORDEAL_ANNOTATION(AnnotateMemoryIsUninitialized)
ORDEAL_ANNOTATION(AnnotateMutexIsNotPHB)
ORDEAL_ANNOTATION(AnnotateMutexIsUsedAsCondVar)
ORDEAL_ANNOTATION(AnnotateNewMemory)
ORDEAL_ANNOTATION(AnnotateNoOp)
ORDEAL_ANNOTATION(AnnotatePCQCreate)
ORDEAL_ANNOTATION(AnnotatePCQDestroy)
ORDEAL_ANNOTATION(AnnotatePCQGet)
ORDEAL_ANNOTATION(AnnotatePCQPut)
ORDEAL_ANNOTATION(AnnotatePublishMemoryRange)
ORDEAL_ANNOTATION(AnnotateRWLockCreate)
ORDEAL_ANNOTATION(AnnotateRWLockCreateStatic)
ORDEAL_ANNOTATION(AnnotateRWLockDestroy)
ORDEAL_ANNOTATION(AnnotateThreadName)
ORDEAL_ANNOTATION(AnnotateTraceMemory)
ORDEAL_ANNOTATION(AnnotateUnpublishMemoryRange)
ORDEAL_ANNOTATION(__tsan_flush_memory)
ORDEAL_ANNOTATION(__tsan_mutex_create)
ORDEAL_ANNOTATION(__tsan_mutex_destroy)
ORDEAL_ANNOTATION(__tsan_mutex_pre_lock)
ORDEAL_ANNOTATION(__tsan_mutex_post_unlock)
ORDEAL_ANNOTATION(__tsan_mutex_pre_signal)
ORDEAL_ANNOTATION(__tsan_mutex_post_signal)
ORDEAL_ANNOTATION(__tsan_mutex_pre_divert)
ORDEAL_ANNOTATION(__tsan_mutex_post_divert)
