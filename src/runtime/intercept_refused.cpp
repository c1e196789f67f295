// Calls that would go behind our back: other processes and kernel threads, waits in the kernel, ends of the process that run
// nothing. What is not supported yet says so by name ("cannot check"), rather than pass in silence.
#include <dlfcn.h>
#include <errno.h>
#include <linux/futex.h>
#include <linux/membarrier.h>
#include <pthread.h>
#include <sys/resource.h>
#include <sys/syscall.h>

#include <cstdint>
#include <string>

#include "runtime/abi.h"
#include "runtime/access.h"
#include "runtime/footprint.h"
#include "runtime/forked.h"
#include "runtime/futex.h"
#include "runtime/modules.h"
#include "runtime/open_files.h"
#include "runtime/outside.h"
#include "runtime/program_image.h"
#include "runtime/pthreads.h"
#include "runtime/raw_system_call.h"
#include "runtime/system_call.h"
#include "runtime/testing.h"

namespace ordeal::runtime {
namespace {

[[noreturn]] void refuse(const char* name, std::uintptr_t site) {
  flush_pending_write();
  NativeProgram::instance->refuse(std::string(name) + " is not supported", site);
}

/// Whether the program, or the C++ library for it, calls.
bool is_programs(std::uintptr_t site) { return is_checked() && !is_libc(site) && !is_libgcc(site) && !is_ours(site); }

/// As libc's.
long system_call(long number, long a, long b, long c, long d, long e, long f) {
  const long result = raw_system_call(number, a, b, c, d, e, f);
  if (result >= 0 || result < -4095) return result;
  errno = static_cast<int>(-result);
  return -1;
}

}  // namespace
}  // namespace ordeal::runtime

using namespace ordeal::runtime;

// All take whole numbers and pointers only, six at most. The names are given to the linker alone: headers know other types.
#define ORDEAL_REFUSED(NAME)                                                                                 \
  ORDEAL_ABI long refused_##NAME(long a, long b, long c, long d, long e, long f) __asm__(#NAME);             \
  ORDEAL_ABI long refused_##NAME(long a, long b, long c, long d, long e, long f) {                           \
    if (is_programs(ORDEAL_SITE)) ordeal::runtime::refuse(#NAME, ORDEAL_SITE);                               \
    using Function = long (*)(long, long, long, long, long, long);                                           \
    return reinterpret_cast<Function>(dlsym(RTLD_NEXT, #NAME))(a, b, c, d, e, f);                            \
  }

/// The same for functions of a thread. Libraries may ask about the first one while they are made ready: libc must get its own pthread_t.
#define ORDEAL_REFUSED_OF_THREAD(NAME)                                                                       \
  ORDEAL_ABI long refused_##NAME(pthread_t a, long b, long c, long d) __asm__(#NAME);                        \
  ORDEAL_ABI long refused_##NAME(pthread_t a, long b, long c, long d) {                                      \
    if (is_programs(ORDEAL_SITE)) ordeal::runtime::refuse(#NAME, ORDEAL_SITE);                               \
    using Function = long (*)(pthread_t, long, long, long);                                                  \
    if (a == kFirstHandle && !is_checked()) a = reinterpret_cast<pthread_t>(__builtin_thread_pointer());     \
    return reinterpret_cast<Function>(dlsym(RTLD_NEXT, #NAME))(a, b, c, d);                                  \
  }

// clang-format off
ORDEAL_REFUSED(forkpty) ORDEAL_REFUSED(clone)
ORDEAL_REFUSED(pthread_mutex_getprioceiling) ORDEAL_REFUSED(pthread_mutex_setprioceiling)
ORDEAL_REFUSED_OF_THREAD(pthread_getcpuclockid)
ORDEAL_REFUSED(pthread_tryjoin_np)
ORDEAL_REFUSED(pthread_timedjoin_np) ORDEAL_REFUSED(pthread_clockjoin_np)
ORDEAL_REFUSED(killpg)
// Old functions that nobody should miss
ORDEAL_REFUSED(sigset) ORDEAL_REFUSED(sighold) ORDEAL_REFUSED(sigrelse) ORDEAL_REFUSED(sigpause) ORDEAL_REFUSED(sigblock) ORDEAL_REFUSED(sigsetmask)
// clang-format on

/// Limits of memory would be ours. The others are made while testing.
#define ORDEAL_LIMITING(NAME)                                                                                \
  ORDEAL_ABI int limiting_##NAME(long what, const rlimit* limit) __asm__(#NAME);                             \
  ORDEAL_ABI int limiting_##NAME(long what, const rlimit* limit) {                                           \
    const bool is_of_memory = what == RLIMIT_AS || what == RLIMIT_DATA || what == RLIMIT_CPU;                \
    if (is_programs(ORDEAL_SITE) && !is_testing) ordeal::runtime::refuse("setrlimit", ORDEAL_SITE);          \
    if (is_programs(ORDEAL_SITE) && is_of_memory) ordeal::runtime::refuse("setrlimit of memory or processor time", ORDEAL_SITE); \
    if (is_programs(ORDEAL_SITE)) Footprint::note("changes its limits");                                     \
    static constinit Function real = nullptr;                                                                \
    return static_cast<int>(intercept(#NAME, real, {{what, reinterpret_cast<long>(limit), 0, 0, 0, 0}}, ORDEAL_SITE, note_nothing, is_negative)); \
  }
ORDEAL_LIMITING(setrlimit)
ORDEAL_LIMITING(setrlimit64)

// System V semaphores are the system's, and wait in it: while testing they do.
#define ORDEAL_WAITING_OUTSIDE(NAME)                                                                         \
  ORDEAL_ABI long waiting_##NAME(long a, long b, long c, long d, long e, long f) __asm__(#NAME);             \
  ORDEAL_ABI long waiting_##NAME(long a, long b, long c, long d, long e, long f) {                           \
    if (is_programs(ORDEAL_SITE) && !is_testing) ordeal::runtime::refuse(#NAME, ORDEAL_SITE);                \
    using Function = long (*)(long, long, long, long, long, long);                                           \
    return reinterpret_cast<Function>(dlsym(RTLD_NEXT, #NAME))(a, b, c, d, e, f);                            \
  }
ORDEAL_WAITING_OUTSIDE(semop)
ORDEAL_WAITING_OUTSIDE(semtimedop)

// They start a process and know nothing of our threads: while testing they are made as they are.
#define ORDEAL_STARTING(NAME)                                                                                \
  ORDEAL_ABI long starting_##NAME(long a, long b, long c, long d, long e, long f) __asm__(#NAME);            \
  ORDEAL_ABI long starting_##NAME(long a, long b, long c, long d, long e, long f) {                          \
    if (is_programs(ORDEAL_SITE) && !is_testing) ordeal::runtime::refuse(#NAME, ORDEAL_SITE);                \
    static constinit Function real = nullptr;                                                                \
    if (is_checked()) Footprint::note("starts other processes");                                             \
    if (is_checked() && is_testing) Outside::release(ORDEAL_SITE), Forked::note_other();                     \
    return intercept(#NAME, real, {{a, b, c, d, e, f}}, ORDEAL_SITE, note_nothing, [](long) { return false; }); \
  }
ORDEAL_STARTING(posix_spawn)
ORDEAL_STARTING(posix_spawnp)
ORDEAL_STARTING(system)

// OpenMP: its threads are the library's own (libgomp, libomp), and wait in the kernel.
#define ORDEAL_REFUSED_OPENMP(NAME)                                                                          \
  ORDEAL_ABI long NAME(long a, long b, long c, long d, long e, long f) {                                     \
    if (is_programs(ORDEAL_SITE)) ordeal::runtime::refuse("OpenMP (" #NAME ")", ORDEAL_SITE);                \
    using Function = long (*)(long, long, long, long, long, long);                                           \
    return reinterpret_cast<Function>(dlsym(RTLD_NEXT, #NAME))(a, b, c, d, e, f);                            \
  }
// clang-format off
ORDEAL_REFUSED_OPENMP(GOMP_parallel) ORDEAL_REFUSED_OPENMP(GOMP_parallel_sections) ORDEAL_REFUSED_OPENMP(GOMP_parallel_loop_static)
ORDEAL_REFUSED_OPENMP(GOMP_parallel_loop_dynamic) ORDEAL_REFUSED_OPENMP(GOMP_parallel_loop_guided) ORDEAL_REFUSED_OPENMP(GOMP_parallel_loop_runtime)
ORDEAL_REFUSED_OPENMP(GOMP_parallel_loop_nonmonotonic_dynamic) ORDEAL_REFUSED_OPENMP(GOMP_parallel_loop_nonmonotonic_guided)
ORDEAL_REFUSED_OPENMP(GOMP_parallel_loop_nonmonotonic_runtime) ORDEAL_REFUSED_OPENMP(GOMP_parallel_loop_maybe_nonmonotonic_runtime)
ORDEAL_REFUSED_OPENMP(GOMP_parallel_reductions) ORDEAL_REFUSED_OPENMP(GOMP_task) ORDEAL_REFUSED_OPENMP(GOMP_taskloop) ORDEAL_REFUSED_OPENMP(GOMP_taskloop_ull)
ORDEAL_REFUSED_OPENMP(GOMP_teams_reg) ORDEAL_REFUSED_OPENMP(GOMP_barrier) ORDEAL_REFUSED_OPENMP(GOMP_critical_start)
ORDEAL_REFUSED_OPENMP(__kmpc_fork_call) ORDEAL_REFUSED_OPENMP(__kmpc_omp_task) ORDEAL_REFUSED_OPENMP(__kmpc_fork_teams)
// clang-format on

/// In C without -fexceptions, where pthread_exit would not find the handlers.
ORDEAL_ABI void refused_cleanup_push(void*) __asm__("__pthread_register_cancel");
ORDEAL_ABI void refused_cleanup_push_defer(void*) __asm__("__pthread_register_cancel_defer");
ORDEAL_ABI void refused_cleanup_push_defer(void*) {
  if (is_checked()) ordeal::runtime::refuse("pthread_cleanup_push_defer_np in C", ORDEAL_SITE);
}
ORDEAL_ABI void refused_cleanup_push(void*) {
  if (is_checked()) ordeal::runtime::refuse("pthread_cleanup_push in C", ORDEAL_SITE);
}

/// The state becomes ready inside libstdc++.so, where nobody sees it.
ORDEAL_ABI void refused_make_ready(void*) __asm__("_ZNSt13__future_base13_State_baseV211_Make_ready6_M_setEv");
ORDEAL_ABI void refused_make_ready(void*) {
  if (is_checked()) ordeal::runtime::refuse("set_value_at_thread_exit", ORDEAL_SITE);
}

ORDEAL_ABI void checked_exit(long code) __asm__("_exit");
ORDEAL_ABI void checked_exit(long code) {
  if (is_programs(ORDEAL_SITE)) leave_process(static_cast<int>(code), ORDEAL_SITE);
  for (;;) raw_system_call(SYS_exit_group, code);
}
ORDEAL_ABI void checked_Exit(long code) __asm__("_Exit");
ORDEAL_ABI void checked_Exit(long code) {
  if (is_programs(ORDEAL_SITE)) leave_process(static_cast<int>(code), ORDEAL_SITE);
  for (;;) raw_system_call(SYS_exit_group, code);
}

namespace {

/// Not one that asks, or registers.
bool is_membarrier(long number, long command) {
  constexpr long kBarriers = MEMBARRIER_CMD_GLOBAL | MEMBARRIER_CMD_GLOBAL_EXPEDITED | MEMBARRIER_CMD_PRIVATE_EXPEDITED | MEMBARRIER_CMD_PRIVATE_EXPEDITED_SYNC_CORE;
  return number == SYS_membarrier && (command & kBarriers) != 0;
}

/// System calls that would go behind our back, though the functions of libc that make them do not. nullptr: it is none.
const char* refused_system_call(long number, long first) {
  constexpr long kFutexWaitv = 449;
  switch (number) {
    case SYS_fork: return "the system call fork";
    case SYS_vfork: return "the system call vfork";
    case SYS_clone: return "the system call clone";
    case SYS_clone3: return "the system call clone3";
    case kFutexWaitv: return "the system call futex_waitv";
    case SYS_membarrier: return !is_testing && is_membarrier(number, first) ? "the system call membarrier" : nullptr;
    default: return nullptr;
  }
}

}  // namespace

/// By name futexes only: other calls that wait go to the kernel.
ORDEAL_ABI long checked_syscall(long number, long a, long b, long c, long d, long e, long f) __asm__("syscall");
ORDEAL_ABI long checked_syscall(long number, long a, long b, long c, long d, long e, long f) {
  if (number == SYS_futex && is_programs(ORDEAL_SITE))
    return futex({reinterpret_cast<const void*>(a), static_cast<int>(b) & FUTEX_CMD_MASK, static_cast<std::uint32_t>(c), reinterpret_cast<const timespec*>(d),
                  static_cast<std::uint32_t>(f), ORDEAL_SITE});
  if (const char* name = refused_system_call(number, a); name != nullptr && is_programs(ORDEAL_SITE)) ordeal::runtime::refuse(name, ORDEAL_SITE);
  if (is_programs(ORDEAL_SITE)) OpenFiles::note_call();
  const long result = system_call(number, a, b, c, d, e, f);
  if (result == 0 && is_membarrier(number, a) && is_testing && is_programs(ORDEAL_SITE)) Testing::fence_everywhere(ORDEAL_SITE);
  return result;
}
