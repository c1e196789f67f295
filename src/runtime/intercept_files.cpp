// System calls that write into the program's memory. Where it is write-protected (snapshot.h) the kernel does not fault but says
// EFAULT: then it is unprotected, and the call made again. A call that our timer interrupted is made again too: no other signal
// reaches the program.
#include <dlfcn.h>
#include <errno.h>
#include <sys/types.h>

#include <cstddef>
#include <cstdint>

#include "runtime/abi.h"
#include "runtime/access.h"
#include "runtime/arrived_signals.h"
#include "runtime/footprint.h"
#include "runtime/loops/trace.h"
#include "runtime/milestones.h"
#include "runtime/modules.h"
#include "runtime/open_files.h"
#include "runtime/snapshot.h"
#include "runtime/system_call.h"
#include "runtime/testing.h"
#include "runtime/watchdog.h"

namespace ordeal::runtime {
namespace {

long call(Function real, const Arguments& arguments) {
  const long* at = arguments.at;
  return real(at[0], at[1], at[2], at[3], at[4], at[5]);
}

}  // namespace

void unprotect(const Arguments& arguments) {
  constexpr long kPage = 4096, kMuch = 1 << 20;
  for (const long pointer : arguments.at)
    for (long offset = 0; offset < kMuch && Snapshot::contains(static_cast<std::uintptr_t>(pointer + offset)); offset += kPage)
      Snapshot::heat(static_cast<std::uintptr_t>(pointer + offset));
}

ArrivedSignals::Call interrupted_call = ArrivedSignals::Call::kStartsAgain;

long call_until_done(Function real, const Arguments& arguments, bool (*has_failed)(long)) {
  if (!is_checked()) return call(real, arguments);
  flush_pending_write();
  note_effect(*NativeProgram::current, trace::KeptBy::kInputOutput);
  if (is_testing) Testing::note_change();
  const int before = errno;
  const ArrivedSignals::Call sort = interrupted_call;  // handlers make calls, too
  ArrivedSignals::is_interrupted(ArrivedSignals::Call::kEnds);  // what came before does not interrupt it
  for (bool is_unprotected = false;;) {
    if (ArrivedSignals::are_there()) ArrivedSignals::receive_all(NativeProgram::current->site);
    Watchdog::enter_call();
    const long result = call(real, arguments);
    Watchdog::leave_call();
    if (ArrivedSignals::are_there()) {
      ArrivedSignals::receive_all(NativeProgram::current->site);
      if (has_failed(result) && errno == EINTR && ArrivedSignals::is_interrupted(sort)) return result;
    }
    if (!has_failed(result) || (errno != EINTR && (errno != EFAULT || is_unprotected))) return result;
    if (errno == EFAULT) unprotect(arguments);
    else Watchdog::stop_if_wanted();
    is_unprotected = errno == EFAULT;
    errno = before;
  }
}

Function real_function(const char* name) { return reinterpret_cast<Function>(dlsym(RTLD_NEXT, name)); }

void note_filled(long buffer, long size, std::uintptr_t site) {
  if (is_checked() && size > 0) plain_write(static_cast<std::uintptr_t>(buffer), static_cast<std::size_t>(size), site);
}
void note_taken(long buffer, long size, std::uintptr_t site) {
  if (is_checked() && size > 0) plain_read(static_cast<std::uintptr_t>(buffer), static_cast<std::size_t>(size), site);
}

long intercept(const char* name, Function& real, const Arguments& arguments, std::uintptr_t site, Note note, bool (*has_failed)(long)) {
  OpenFiles::note_call();
  if (real == nullptr) real = real_function(name);
  const long result = call_until_done(real, arguments, has_failed);
  const int error = errno;
  note(arguments.at[1], result, site);
  errno = error;
  return result;
}

}  // namespace ordeal::runtime

using namespace ordeal::runtime;

#define ORDEAL_CALL_WITH(NAME, NOTE, HAS_FAILED)                                                    \
  ORDEAL_ABI long ordeal_##NAME(long a, long b, long c, long d, long e, long f) __asm__(#NAME);     \
  ORDEAL_ABI long ordeal_##NAME(long a, long b, long c, long d, long e, long f) {                   \
    static constinit Function real = nullptr;                                                       \
    return intercept(#NAME, real, {{a, b, c, d, e, f}}, ORDEAL_SITE, NOTE, HAS_FAILED);             \
  }
#define ORDEAL_CALL(NAME) ORDEAL_CALL_WITH(NAME, note_nothing, is_negative)

// Those with a buffer as their second argument that return how much of it they used. (What may wait: intercept_waiting.cpp)
ORDEAL_CALL_WITH(pread, note_filled, is_negative)
ORDEAL_CALL_WITH(pread64, note_filled, is_negative)
ORDEAL_CALL_WITH(readlink, note_filled, is_negative)
ORDEAL_CALL_WITH(pwrite, note_taken, is_negative)
ORDEAL_CALL_WITH(pwrite64, note_taken, is_negative)

ORDEAL_CALL_WITH(getcwd, note_nothing, is_null)

ORDEAL_CALL(clock_getres)
ORDEAL_CALL(fstat)
ORDEAL_CALL(fstat64)
ORDEAL_CALL(fstatat)
ORDEAL_CALL(fstatat64)
ORDEAL_CALL(fstatfs)
ORDEAL_CALL(getgroups)
ORDEAL_CALL(getpeername)
ORDEAL_CALL(getrlimit)
ORDEAL_CALL(getrlimit64)
ORDEAL_CALL(getrusage)
ORDEAL_CALL(getsockname)
ORDEAL_CALL(getsockopt)
ORDEAL_CALL(ioctl)
ORDEAL_CALL(lstat)
ORDEAL_CALL(lstat64)
ORDEAL_CALL(pipe)
ORDEAL_CALL(pipe2)
ORDEAL_CALL(preadv)
ORDEAL_CALL(prlimit)
ORDEAL_CALL(readlinkat)
ORDEAL_CALL(sched_getaffinity)
ORDEAL_CALL(socketpair)
ORDEAL_CALL(stat)
ORDEAL_CALL(stat64)
ORDEAL_CALL(statfs)
ORDEAL_CALL(statx)
ORDEAL_CALL(sysinfo)
ORDEAL_CALL(times)
ORDEAL_CALL(uname)

namespace {
const auto kNotMapped = reinterpret_cast<void*>(-1);
/// Others may be given the same pages, and nothing orders the two: what was done there must be forgotten.
void forget_pages(void* address, std::size_t size, std::uintptr_t site) {
  if (is_testing && is_checked() && !is_ours(site)) Testing::forget_pages(reinterpret_cast<std::uintptr_t>(address), size);
}
}  // namespace

/// What the program maps itself is not put back: it must be mapped anew in each execution.
#define ORDEAL_MAPPING(NAME)                                                                                            \
  ORDEAL_ABI void* ordeal_##NAME(void* address, std::size_t size, int protection, int flags, int file, off_t offset) __asm__(#NAME); \
  ORDEAL_ABI void* ordeal_##NAME(void* address, std::size_t size, int protection, int flags, int file, off_t offset) {  \
    using Map = void* (*)(void*, std::size_t, int, int, int, off_t);                                                    \
    static constinit Map real = nullptr;                                                                                \
    if (real == nullptr) real = reinterpret_cast<Map>(dlsym(RTLD_NEXT, #NAME));                                         \
    if (is_checked() && !is_ours(ORDEAL_SITE)) {                                                                        \
      Milestones::forbid();                                                                                             \
      if (!is_libc(ORDEAL_SITE)) Footprint::note("maps memory");                                                        \
    }                                                                                                                   \
    TestRecorder::finish_write();                                                                                       \
    void* mapped = real(address, size, protection, flags, file, offset);                                                \
    if (mapped != kNotMapped) forget_pages(mapped, size, ORDEAL_SITE);                                                  \
    return mapped;                                                                                                      \
  }
ORDEAL_MAPPING(mmap)
ORDEAL_MAPPING(mmap64)

ORDEAL_ABI int ordeal_munmap(void* address, std::size_t size) __asm__("munmap");
ORDEAL_ABI int ordeal_munmap(void* address, std::size_t size) {
  using Unmap = int (*)(void*, std::size_t);
  static constinit Unmap real = nullptr;
  if (real == nullptr) real = reinterpret_cast<Unmap>(dlsym(RTLD_NEXT, "munmap"));
  TestRecorder::finish_write();
  const int result = real(address, size);
  if (result == 0) forget_pages(address, size, ORDEAL_SITE);
  return result;
}

ORDEAL_ABI void* ordeal_mremap(void* address, std::size_t size, std::size_t new_size, int flags, void* wanted) __asm__("mremap");
ORDEAL_ABI void* ordeal_mremap(void* address, std::size_t size, std::size_t new_size, int flags, void* wanted) {
  using Remap = void* (*)(void*, std::size_t, std::size_t, int, void*);
  static constinit Remap real = nullptr;
  if (real == nullptr) real = reinterpret_cast<Remap>(dlsym(RTLD_NEXT, "mremap"));
  TestRecorder::finish_write();
  void* mapped = real(address, size, new_size, flags, wanted);
  if (mapped == kNotMapped) return mapped;
  forget_pages(address, size, ORDEAL_SITE);
  forget_pages(mapped, new_size, ORDEAL_SITE);
  return mapped;
}
