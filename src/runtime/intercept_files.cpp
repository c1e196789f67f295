// System calls that write into the program's memory. Where it is write-protected (snapshot.h) the kernel does not fault but says
// EFAULT: then it is unprotected, and the call made again. A call that our timer interrupted is made again too: no other signal
// reaches the program.
#include <dlfcn.h>
#include <errno.h>
#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>

#include "runtime/abi.h"
#include "runtime/access.h"
#include "runtime/milestones.h"
#include "runtime/modules.h"
#include "runtime/snapshot.h"
#include "runtime/spin.h"
#include "runtime/watchdog.h"

namespace ordeal::runtime {
namespace {

/// The arguments of a call, as many as it has: they are all in registers.
struct Arguments {
  long at[6];
};
using Function = long (*)(long, long, long, long, long, long);

long call(Function real, const Arguments& arguments) {
  const long* at = arguments.at;
  return real(at[0], at[1], at[2], at[3], at[4], at[5]);
}

/// Makes what the arguments may point to writable.
void unprotect(const Arguments& arguments) {
  constexpr long kPage = 4096, kMuch = 1 << 20;
  for (const long pointer : arguments.at)
    for (long offset = 0; offset < kMuch && Snapshot::contains(static_cast<std::uintptr_t>(pointer + offset)); offset += kPage)
      Snapshot::heat(static_cast<std::uintptr_t>(pointer + offset));
}

/// `has_failed` tells from the result.
template <class HasFailed>
long call_until_done(Function real, const Arguments& arguments, HasFailed has_failed) {
  if (!is_checked()) return call(real, arguments);
  flush_pending_write();
  note_effect(*NativeProgram::current);
  const int before = errno;
  for (bool is_unprotected = false;;) {
    Watchdog::enter_call();
    const long result = call(real, arguments);
    Watchdog::leave_call();
    if (!has_failed(result) || (errno != EINTR && (errno != EFAULT || is_unprotected))) return result;
    if (errno == EFAULT) unprotect(arguments);
    else Watchdog::stop_if_wanted();
    is_unprotected = errno == EFAULT;
    errno = before;
  }
}

bool is_negative(long result) { return static_cast<int>(result) == -1; }
bool is_null(long result) { return result == 0; }

/// The call has filled so many bytes of the buffer, or taken them from it.
void note_filled(long buffer, long size, std::uintptr_t site) {
  if (is_checked() && size > 0) plain_write(static_cast<std::uintptr_t>(buffer), static_cast<std::size_t>(size), site);
}
void note_taken(long buffer, long size, std::uintptr_t site) {
  if (is_checked() && size > 0) plain_read(static_cast<std::uintptr_t>(buffer), static_cast<std::size_t>(size), site);
}
void note_nothing(long, long, std::uintptr_t) {}

template <class Note, class HasFailed>
long intercept(const char* name, Function& real, const Arguments& arguments, std::uintptr_t site, Note note, HasFailed has_failed) {
  if (real == nullptr) real = reinterpret_cast<Function>(dlsym(RTLD_NEXT, name));
  const long result = call_until_done(real, arguments, has_failed);
  const int error = errno;
  note(arguments.at[1], result, site);
  errno = error;
  return result;
}

}  // namespace
}  // namespace ordeal::runtime

using namespace ordeal::runtime;

#define ORDEAL_CALL_WITH(NAME, NOTE, HAS_FAILED)                                                    \
  ORDEAL_ABI long ordeal_##NAME(long a, long b, long c, long d, long e, long f) __asm__(#NAME);     \
  ORDEAL_ABI long ordeal_##NAME(long a, long b, long c, long d, long e, long f) {                   \
    static constinit Function real = nullptr;                                                       \
    return intercept(#NAME, real, {{a, b, c, d, e, f}}, ORDEAL_SITE, NOTE, HAS_FAILED);             \
  }
#define ORDEAL_CALL(NAME) ORDEAL_CALL_WITH(NAME, note_nothing, is_negative)

// Those with a buffer as their second argument that return how much of it they used.
ORDEAL_CALL_WITH(read, note_filled, is_negative)
ORDEAL_CALL_WITH(pread, note_filled, is_negative)
ORDEAL_CALL_WITH(pread64, note_filled, is_negative)
ORDEAL_CALL_WITH(recv, note_filled, is_negative)
ORDEAL_CALL_WITH(recvfrom, note_filled, is_negative)
ORDEAL_CALL_WITH(readlink, note_filled, is_negative)
ORDEAL_CALL_WITH(write, note_taken, is_negative)
ORDEAL_CALL_WITH(pwrite, note_taken, is_negative)
ORDEAL_CALL_WITH(pwrite64, note_taken, is_negative)
ORDEAL_CALL_WITH(send, note_taken, is_negative)
ORDEAL_CALL_WITH(sendto, note_taken, is_negative)

ORDEAL_CALL_WITH(getcwd, note_nothing, is_null)

ORDEAL_CALL(accept)
ORDEAL_CALL(accept4)
ORDEAL_CALL(clock_getres)
ORDEAL_CALL(epoll_pwait)
ORDEAL_CALL(epoll_wait)
ORDEAL_CALL(fstat)
ORDEAL_CALL(fstat64)
ORDEAL_CALL(fstatat)
ORDEAL_CALL(fstatat64)
ORDEAL_CALL(fstatfs)
ORDEAL_CALL(getgroups)
ORDEAL_CALL(getitimer)
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
ORDEAL_CALL(poll)
ORDEAL_CALL(ppoll)
ORDEAL_CALL(preadv)
ORDEAL_CALL(prlimit)
ORDEAL_CALL(pselect)
ORDEAL_CALL(readlinkat)
ORDEAL_CALL(readv)
ORDEAL_CALL(recvmmsg)
ORDEAL_CALL(recvmsg)
ORDEAL_CALL(sched_getaffinity)
ORDEAL_CALL(select)
ORDEAL_CALL(socketpair)
ORDEAL_CALL(stat)
ORDEAL_CALL(stat64)
ORDEAL_CALL(statfs)
ORDEAL_CALL(statx)
ORDEAL_CALL(sysinfo)
ORDEAL_CALL(times)
ORDEAL_CALL(uname)

/// libc reads larger parts of a file right into the buffer.
ORDEAL_ABI std::size_t fread(void* buffer, std::size_t size, std::size_t count, FILE* file) {
  using Read = std::size_t (*)(void*, std::size_t, std::size_t, FILE*);
  static constinit Read real = nullptr;
  if (real == nullptr) real = reinterpret_cast<Read>(dlsym(RTLD_NEXT, "fread"));
  if (!is_checked()) return real(buffer, size, count, file);
  flush_pending_write();
  note_effect(*NativeProgram::current);
  unprotect({{reinterpret_cast<long>(buffer), 0, 0, 0, 0, 0}});
  Watchdog::enter_call();
  const std::size_t done = real(buffer, size, count, file);
  Watchdog::leave_call();
  note_filled(reinterpret_cast<long>(buffer), static_cast<long>(done * size), ORDEAL_SITE);
  return done;
}

/// What the program maps itself is not put back: it must be mapped anew in each execution.
#define ORDEAL_MAPPING(NAME)                                                                                            \
  ORDEAL_ABI void* ordeal_##NAME(void* address, std::size_t size, int protection, int flags, int file, off_t offset) __asm__(#NAME); \
  ORDEAL_ABI void* ordeal_##NAME(void* address, std::size_t size, int protection, int flags, int file, off_t offset) {  \
    using Map = void* (*)(void*, std::size_t, int, int, int, off_t);                                                    \
    static constinit Map real = nullptr;                                                                                \
    if (real == nullptr) real = reinterpret_cast<Map>(dlsym(RTLD_NEXT, #NAME));                                         \
    if (is_checked() && !is_ours(ORDEAL_SITE)) Milestones::forbid();                                                    \
    return real(address, size, protection, flags, file, offset);                                                        \
  }
ORDEAL_MAPPING(mmap)
ORDEAL_MAPPING(mmap64)
