// Exceptions that threads share (std::exception_ptr, futures). libstdc++ counts inside itself, unseen, who holds one; the last who lets
// go ends it, and by that count all that others did with it happens before. So what belongs to its end is in no race.
//
// Only the end by an exception_ptr is known here. One that a catch clause ends is taken for what its thread does otherwise.
#include <dlfcn.h>

#include "runtime/abi.h"
#include "runtime/access.h"
#include "runtime/annotations.h"
#include "runtime/native_program.h"
#include "runtime/testing.h"

using ordeal::runtime::Annotations;
using ordeal::runtime::is_checked;
using ordeal::runtime::NativeProgram;
using ordeal::runtime::Testing;

namespace {

/// While it lives, the running thread ends an exception. (An exception's destructor may let go of another.)
class EndOfException {
 public:
  EndOfException() : thread_(*NativeProgram::current) {
    ordeal::runtime::flush_pending_write();
    Annotations::ignores = true;
    Testing::note_ignoring();
    count(1);
  }
  ~EndOfException() {
    ordeal::runtime::flush_pending_write();
    count(-1);
  }
  EndOfException(const EndOfException&) = delete;
  EndOfException& operator=(const EndOfException&) = delete;

 private:
  void count(int by) {
    thread_.ended_exceptions += by;
    thread_.ignored_reads += by;
    thread_.ignored_writes += by;
  }
  ordeal::runtime::Thread& thread_;
};

}  // namespace

ORDEAL_ABI void release_exception(void* pointer) __asm__("_ZNSt15__exception_ptr13exception_ptr10_M_releaseEv");
ORDEAL_ABI void release_exception(void* pointer) {
  static const auto release = reinterpret_cast<void (*)(void*)>(dlsym(RTLD_NEXT, "_ZNSt15__exception_ptr13exception_ptr10_M_releaseEv"));
  if (!is_checked()) return release(pointer);
  const EndOfException end;
  release(pointer);
}
