// Exceptions that threads share (std::exception_ptr, futures). libstdc++ counts inside itself, unseen, who holds one; the last who lets
// go ends it, and by that count all that others did with it happens before.
//
// Here the count is a location of the graph. Who lets go releases there; who is the last acquires. Others do not: the standard promises
// them nothing, so they are in a race if they rely on it. Who comes to hold it needs no event: he has it from one who still does.
//
// A catch clause lets go by _Unwind_DeleteException, a pointer by _M_release. While a thread catches or rethrows an exception it holds it by that, and
// pointers that it lets go of meanwhile need no event. Neither does what nobody else has ever held.
//
// Copies of a standard exception share their text, which is counted likewise, by functions that libordeal cannot take the place of (it has the same ones
// from its own libstdc++). So the end of a text is just in no race.
#include <dlfcn.h>
#include <link.h>
#include <unwind.h>

#include <cstdint>
#include <cstring>

#include "runtime/abi.h"
#include "runtime/access.h"
#include "runtime/allocation.h"
#include "runtime/modules.h"
#include "runtime/sync_operations.h"

using ordeal::model::MemoryOrder;
using ordeal::model::RmwFunction;
using namespace ordeal::runtime;

namespace {

/// The function as the libraries of the program have it.
template <class Result, class... Arguments>
auto next(const char* name) {
  return reinterpret_cast<Result (*)(Arguments...)>(dlsym(RTLD_NEXT, name));
}

/// The Itanium C++ ABI as libstdc++ has it: the count, padding, a header that ends with the unwinder's, the object.
constexpr std::uintptr_t kCountBeforeObject = 128, kUnwinderBeforeObject = 32, kUnwinderInHeader = 80;
static_assert(sizeof(_Unwind_Exception) == kUnwinderBeforeObject);

bool is_rethrown_pointer(const _Unwind_Exception* exception) { return std::memcmp(&exception->exception_class, "\1++CCUNG", 8) == 0; }

/// 0: of another language.
std::uintptr_t object_of(const _Unwind_Exception* exception) {
  const auto address = reinterpret_cast<std::uintptr_t>(exception);
  if (is_rethrown_pointer(exception)) return *reinterpret_cast<const std::uintptr_t*>(address - kUnwinderInHeader);
  return std::memcmp(&exception->exception_class, "\0++CCUNG", 8) == 0 ? address + kUnwinderBeforeObject : 0;
}

/// What the innermost catch clause of the running thread has caught; 0: there is none.
std::uintptr_t caught() {
  static const auto get_globals = next<std::uintptr_t*>("__cxa_get_globals");
  const std::uintptr_t header = *get_globals();
  return header == 0 ? 0 : object_of(reinterpret_cast<const _Unwind_Exception*>(header + kUnwinderInHeader));
}

const int* count_of(std::uintptr_t object) { return reinterpret_cast<const int*>(object - kCountBeforeObject); }

void let_go(std::uintptr_t object, std::uintptr_t site) {
  flush_pending_write();
  ordeal::model::Access access = rmw_on(count_of(object), LocationSort::kAnnotation, RmwFunction::kAdd, 0);
  access.order = MemoryOrder::kRelease;
  sync_operation(ordeal::engine::OperationKind::kRmw, access, site);
  if (*count_of(object) > 1) return;
  access.order = MemoryOrder::kAcquire;
  sync_operation(ordeal::engine::OperationKind::kRmw, access, site);
}

/// Whether another holds it, or has let go of it.
bool is_shared(std::uintptr_t object) {
  return *count_of(object) > 1 || NativeProgram::instance->location_table().knows_sync_object(reinterpret_cast<std::uintptr_t>(count_of(object)), LocationSort::kAnnotation);
}

}  // namespace

bool ordeal::runtime::ends_shared_text(std::uintptr_t site) {
  if (!is_libstdcxx(site)) return false;
  struct Function {
    std::uintptr_t begin = 0, end = 0;
    explicit Function(const char* name) : begin(reinterpret_cast<std::uintptr_t>(dlsym(RTLD_NEXT, name))) {
      Dl_info info;
      ElfW(Sym)* symbol = nullptr;
      if (begin != 0 && dladdr1(reinterpret_cast<void*>(begin), &info, reinterpret_cast<void**>(&symbol), RTLD_DL_SYMENT) != 0 && symbol != nullptr) end = begin + symbol->st_size;
    }
  };
  // Two destructors, and the assignment of what they destroy.
  static const Function functions[] = {Function("_ZNSt11logic_errorD1Ev"), Function("_ZNSt13runtime_errorD1Ev"), Function("_ZNSs6assignERKSs")};
  for (const Function& function : functions)
    if (site > function.begin && site <= function.end) return true;
  return false;
}

#define ORDEAL_NAMED(RESULT, NAME, PARAMETERS, SYMBOL)        \
  ORDEAL_ABI RESULT NAME PARAMETERS __asm__(SYMBOL);          \
  ORDEAL_ABI RESULT NAME PARAMETERS

#define ORDEAL_RELEASE "_ZNSt15__exception_ptr13exception_ptr10_M_releaseEv"
ORDEAL_NAMED(void, release_exception, (std::uintptr_t* pointer), ORDEAL_RELEASE) {
  static const auto release = next<void, void*>(ORDEAL_RELEASE);
  const std::uintptr_t object = *pointer;
  if (is_checked() && object != 0 && object != NativeProgram::current->rethrown && object != caught()) let_go(object, ORDEAL_SITE);
  release(pointer);
}

#define ORDEAL_RETHROW "_ZSt17rethrow_exceptionNSt15__exception_ptr13exception_ptrE"
ORDEAL_NAMED(void, rethrow, (std::uintptr_t* pointer), ORDEAL_RETHROW) {
  static const auto rethrow = next<void, void*>(ORDEAL_RETHROW);
  if (is_checked()) NativeProgram::current->rethrown = *pointer;
  rethrow(pointer);
}

ORDEAL_ABI void _Unwind_DeleteException(_Unwind_Exception* exception) {
  static const auto release = next<void, _Unwind_Exception*>("_Unwind_DeleteException");
  if (const std::uintptr_t object = is_checked() ? object_of(exception) : 0; object != 0) {
    if (NativeProgram::current->rethrown == object && is_rethrown_pointer(exception)) NativeProgram::current->rethrown = 0;
    if (is_shared(object)) let_go(object, ORDEAL_SITE);
  }
  release(exception);
}
