// What is known of a thread: its name, its stack, its processors, how important it is. A handle is not what libc's own functions expect.
// There is one processor, and nobody is more important than others.
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>

#include <cstring>

#include "runtime/abi.h"
#include "runtime/access.h"
#include "runtime/layout.h"
#include "runtime/pthreads.h"

namespace ordeal::runtime {
namespace {

constexpr std::size_t kNameSize = sizeof(Thread::name);

/// Before the program runs, while the system's libraries are made ready, there is the first thread only; libc must get its own pthread_t.
bool is_thread(pthread_t handle) { return is_checked() ? number_of_thread(handle) >= 0 : handle == kFirstHandle; }
pthread_t real_first() { return reinterpret_cast<pthread_t>(__builtin_thread_pointer()); }
template <class Function>
Function* real_of_first(const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

void fills(void* address, std::size_t size, std::uintptr_t site) {
  if (is_checked()) plain_write(reinterpret_cast<std::uintptr_t>(address), size, site);
}

}  // namespace
}  // namespace ordeal::runtime

using namespace ordeal::runtime;

ORDEAL_ABI int pthread_setname_np(pthread_t handle, const char* name) {
  if (std::strlen(name) >= kNameSize) return ERANGE;
  if (!is_thread(handle)) return ESRCH;
  if (is_checked()) std::strcpy(NativeProgram::instance->thread(number_of_thread(handle)).name, name);
  return 0;
}
ORDEAL_ABI int pthread_getname_np(pthread_t handle, char* name, std::size_t size) {
  if (!is_checked()) return is_thread(handle) ? real_of_first<int(pthread_t, char*, std::size_t)>("pthread_getname_np")(real_first(), name, size) : ESRCH;
  if (!is_testing) NativeProgram::instance->refuse("pthread_getname_np is not supported", ORDEAL_SITE);  // what another thread has set would be unordered
  if (!is_thread(handle)) return ESRCH;
  const char* own = NativeProgram::instance->thread(number_of_thread(handle)).name;
  if (*own == 0) own = program_invocation_short_name;
  const std::size_t length = strnlen(own, kNameSize - 1);
  if (size <= length) return ERANGE;
  fills(name, length + 1, ORDEAL_SITE);
  std::memcpy(name, own, length);
  name[length] = 0;
  return 0;
}
/// Where its stack is: collectors of garbage and the like ask.
ORDEAL_ABI int pthread_getattr_np(pthread_t handle, pthread_attr_t* attributes) noexcept {
  if (!is_checked()) return is_thread(handle) ? real_of_first<int(pthread_t, pthread_attr_t*)>("pthread_getattr_np")(real_first(), attributes) : ESRCH;
  const int number = number_of_thread(handle);
  if (number < 0) return ESRCH;
  NativeProgram& program = *NativeProgram::instance;
  program.symmetry().note_identity(*NativeProgram::current);
  fills(attributes, sizeof *attributes, ORDEAL_SITE);
  pthread_attr_init(attributes);
  pthread_attr_setstack(attributes, reinterpret_cast<void*>(stack_end(number) - kStackSize), kStackSize);
  pthread_attr_setdetachstate(attributes, program.thread(number).is_detached ? PTHREAD_CREATE_DETACHED : PTHREAD_CREATE_JOINABLE);
  return 0;
}
ORDEAL_ABI int pthread_setaffinity_np(pthread_t handle, std::size_t, const cpu_set_t*) { return is_thread(handle) ? 0 : ESRCH; }
ORDEAL_ABI int pthread_getaffinity_np(pthread_t handle, std::size_t size, cpu_set_t* set) {
  if (!is_thread(handle)) return ESRCH;
  fills(set, size, ORDEAL_SITE);
  std::memset(set, 0, size);
  *reinterpret_cast<unsigned char*>(set) = 1;
  return 0;
}
ORDEAL_ABI int pthread_setschedparam(pthread_t handle, int, const sched_param*) noexcept { return is_thread(handle) ? 0 : ESRCH; }
ORDEAL_ABI int pthread_setschedprio(pthread_t handle, int) noexcept { return is_thread(handle) ? 0 : ESRCH; }
ORDEAL_ABI int pthread_getschedparam(pthread_t handle, int* policy, sched_param* parameters) noexcept {
  if (!is_thread(handle)) return ESRCH;
  fills(policy, sizeof *policy, ORDEAL_SITE);
  *policy = SCHED_OTHER;
  fills(parameters, sizeof *parameters, ORDEAL_SITE);
  *parameters = {};
  return 0;
}
