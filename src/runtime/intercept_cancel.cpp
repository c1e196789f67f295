// pthread_cancel while a program is tested, and what threads say about it (cancellation.h).
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>

#include <cstdint>
#include <utility>

#include "runtime/abi.h"
#include "runtime/cancellation.h"
#include "runtime/loops/trace.h"
#include "runtime/modules.h"
#include "runtime/outside.h"
#include "runtime/pthreads.h"
#include "runtime/signals.h"
#include "runtime/testing.h"

namespace ordeal::runtime {
namespace {

bool is_cancel_of_program(std::uintptr_t site) { return is_checked() && !is_libc(site) && !is_libgcc(site) && !is_ours(site); }

template <class Signature>
Signature* real_cancel(const char* name) {
  return reinterpret_cast<Signature*>(dlsym(RTLD_NEXT, name));
}

int cancel(pthread_t handle, std::uintptr_t site) {
  NativeProgram& program = *NativeProgram::instance;
  flush_pending_write();
  if (!is_testing) program.refuse("pthread_cancel is not supported", site);
  const int number = number_of_thread(handle);
  if (number < 0) return ESRCH;
  Thread& thread = program.thread(number);
  if (thread.state == Thread::State::kFinished) return 0;
  if (number == 0) program.refuse("pthread_cancel of the first thread is not supported", site);
  if (thread.is_cancel_asynchronous && !thread.is_cancel_disabled) program.refuse("pthread_cancel of a thread that may be cancelled at any time (PTHREAD_CANCEL_ASYNCHRONOUS) is not supported", site);
  Outside::release(site);
  Testing::note_change();
  if (thread.state == Thread::State::kFinished) return 0;
  thread.is_cancelled = true;
  if (!thread.is_cancel_disabled) Testing::interrupt(number);
  return 0;
}

int change(bool& value, int given, int* old) {
  if (given != 0 && given != 1) return EINVAL;
  const bool before = std::exchange(value, given == 1);
  if (before != value) note_effect(*NativeProgram::current);
  if (old != nullptr) *old = before ? 1 : 0;
  return 0;
}

}  // namespace

static_assert(PTHREAD_CANCEL_ENABLE == 0 && PTHREAD_CANCEL_DISABLE == 1 && PTHREAD_CANCEL_DEFERRED == 0 && PTHREAD_CANCEL_ASYNCHRONOUS == 1);

void Cancellation::leave() {
  Thread& thread = *NativeProgram::current;
  thread.is_cancel_disabled = true;  // its handlers are not cancelled
  thread.may_be_cancelled = false;
  Outside::acquire(thread.site);
  exit_thread(PTHREAD_CANCELED);
}

}  // namespace ordeal::runtime

using namespace ordeal::runtime;

ORDEAL_ABI int pthread_cancel(pthread_t handle) {
  return is_cancel_of_program(ORDEAL_SITE) ? cancel(handle, ORDEAL_SITE) : real_cancel<int(pthread_t)>("pthread_cancel")(handle);
}
ORDEAL_ABI int pthread_setcancelstate(int state, int* old) {
  if (!is_cancel_of_program(ORDEAL_SITE)) return real_cancel<int(int, int*)>("pthread_setcancelstate")(state, old);
  return change(NativeProgram::current->is_cancel_disabled, state, old);
}
ORDEAL_ABI int pthread_setcanceltype(int type, int* old) {
  if (!is_cancel_of_program(ORDEAL_SITE)) return real_cancel<int(int, int*)>("pthread_setcanceltype")(type, old);
  Thread& thread = *NativeProgram::current;
  if (type == PTHREAD_CANCEL_ASYNCHRONOUS) Cancellation::point();
  return change(thread.is_cancel_asynchronous, type, old);
}
ORDEAL_ABI void pthread_testcancel() {
  if (!is_cancel_of_program(ORDEAL_SITE)) return real_cancel<void()>("pthread_testcancel")();
  flush_pending_write();
  if (is_testing) Testing::yield();
  Cancellation::point();
}
