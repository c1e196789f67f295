// What is not supported yet says so by name and ends the check: never a silent pass.
#include <sys/syscall.h>

#include <cerrno>
#include <cstdarg>
#include <cstdint>
#include <string>

#include "runtime/abi.h"
#include "runtime/native_program.h"

namespace ordeal::runtime {
namespace {

[[noreturn]] void refuse(const char* name, std::uintptr_t site) {
  if (NativeProgram::current == nullptr) __builtin_trap();
  NativeProgram::instance->refuse(std::string(name) + " is not supported yet", site);
}

long system_call(long number, const long* arguments) {
  long result;
  const long a = arguments[0], b = arguments[1], c = arguments[2];
  register long r10 asm("r10") = arguments[3];
  register long r8 asm("r8") = arguments[4];
  register long r9 asm("r9") = arguments[5];
  asm volatile("syscall" : "=a"(result) : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9) : "rcx", "r11", "memory");
  return result;
}

}  // namespace
}  // namespace ordeal::runtime

#define ORDEAL_UNSUPPORTED(NAME) \
  ORDEAL_ABI int NAME() { ordeal::runtime::refuse(#NAME, ORDEAL_SITE); }

// C11 threads
ORDEAL_UNSUPPORTED(thrd_create)
ORDEAL_UNSUPPORTED(thrd_join)
ORDEAL_UNSUPPORTED(thrd_detach)
ORDEAL_UNSUPPORTED(thrd_exit)
ORDEAL_UNSUPPORTED(mtx_init)
ORDEAL_UNSUPPORTED(mtx_lock)
ORDEAL_UNSUPPORTED(mtx_timedlock)
ORDEAL_UNSUPPORTED(mtx_trylock)
ORDEAL_UNSUPPORTED(mtx_unlock)
ORDEAL_UNSUPPORTED(cnd_init)
ORDEAL_UNSUPPORTED(cnd_wait)
ORDEAL_UNSUPPORTED(cnd_timedwait)
ORDEAL_UNSUPPORTED(cnd_signal)
ORDEAL_UNSUPPORTED(cnd_broadcast)
ORDEAL_UNSUPPORTED(tss_create)
ORDEAL_UNSUPPORTED(call_once)
// semaphores
ORDEAL_UNSUPPORTED(sem_wait)
ORDEAL_UNSUPPORTED(sem_trywait)
ORDEAL_UNSUPPORTED(sem_timedwait)
ORDEAL_UNSUPPORTED(sem_clockwait)
ORDEAL_UNSUPPORTED(sem_post)
// the rest of pthreads
ORDEAL_UNSUPPORTED(pthread_barrier_wait)
ORDEAL_UNSUPPORTED(pthread_cancel)
ORDEAL_UNSUPPORTED(pthread_rwlock_rdlock)
ORDEAL_UNSUPPORTED(pthread_rwlock_wrlock)
ORDEAL_UNSUPPORTED(pthread_rwlock_tryrdlock)
ORDEAL_UNSUPPORTED(pthread_rwlock_trywrlock)
ORDEAL_UNSUPPORTED(pthread_rwlock_timedrdlock)
ORDEAL_UNSUPPORTED(pthread_rwlock_timedwrlock)
ORDEAL_UNSUPPORTED(pthread_rwlock_clockrdlock)
ORDEAL_UNSUPPORTED(pthread_rwlock_clockwrlock)
ORDEAL_UNSUPPORTED(pthread_rwlock_unlock)
ORDEAL_UNSUPPORTED(pthread_spin_lock)
ORDEAL_UNSUPPORTED(pthread_spin_trylock)
ORDEAL_UNSUPPORTED(pthread_spin_unlock)
ORDEAL_UNSUPPORTED(pthread_tryjoin_np)
ORDEAL_UNSUPPORTED(pthread_timedjoin_np)
ORDEAL_UNSUPPORTED(pthread_clockjoin_np)

// processes
ORDEAL_UNSUPPORTED(fork)
ORDEAL_UNSUPPORTED(vfork)

/// The futex calls of std::future and of code that waits by itself come this way.
ORDEAL_ABI long syscall(long number, ...) noexcept {
  using ordeal::runtime::NativeProgram;
  long arguments[6];
  va_list list;
  va_start(list, number);
  for (long& argument : arguments) argument = va_arg(list, long);
  va_end(list);
  if (number == SYS_futex && NativeProgram::current != nullptr) ordeal::runtime::refuse("a raw futex call (std::future, or code of your own)", ORDEAL_SITE);
  const long result = ordeal::runtime::system_call(number, arguments);
  if (result < 0 && result > -4096) {
    errno = static_cast<int>(-result);
    return -1;
  }
  return result;
}
