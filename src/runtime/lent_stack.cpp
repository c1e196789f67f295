#include "runtime/lent_stack.h"

#include <algorithm>
#include <string>
#include <utility>

#include <unwind.h>

#include "runtime/access.h"
#include "runtime/modules.h"
#include "runtime/scrub.h"

namespace ordeal::runtime {
namespace {

NativeProgram& program() { return *NativeProgram::instance; }

/// Below all functions that are active: below the return address of the call by which the thread, which waits now, came to us. It is
/// looked for downwards from the innermost function that is instrumented; what is further down are our own frames.
bool is_below_all_functions(const Thread& thread, std::uintptr_t address) {
  constexpr std::size_t kWord = sizeof(void*);
  if (thread.state != Thread::State::kRunning || thread.frames.empty()) return false;
  const std::uintptr_t innermost =
      thread.frames.back().stack + 2 * kWord;  // its stack pointer: __tsan_func_entry's own frame begins below
  if (address >= innermost) return false;
  if (is_libstdcxx(thread.site)) return true;  // it lends nothing
  for (std::uintptr_t at = innermost - kWord; at > address && at >= thread.fiber.stack_pointer(); at -= kWord)
    if (*reinterpret_cast<const std::uintptr_t*>(at) == thread.site) return true;
  return address < thread.fiber.stack_pointer();
}

/// Looks for the end of the frame that has this return address.
struct FrameEnd {
  std::uintptr_t site;
  bool is_next = false;
  std::uintptr_t end = 0;
};
_Unwind_Reason_Code look_at_frame(_Unwind_Context* context, void* data) {
  FrameEnd& search = *static_cast<FrameEnd*>(data);
  if (search.is_next) {
    search.end = _Unwind_GetCFA(context);  // of the frame inside
    return _URC_END_OF_STACK;
  }
  search.is_next = _Unwind_GetIP(context) == search.site;
  return _URC_NO_REASON;
}

/// 0: unknown.
std::uintptr_t end_of_frame(std::uintptr_t site) {
  FrameEnd search{site};
  Thread* thread = std::exchange(NativeProgram::current, nullptr);  // what the unwinder calls is not the program's
  if (Stacks::has_room_to_walk()) _Unwind_Backtrace(&look_at_frame, &search);
  scrub_stack_deep();
  NativeProgram::current = thread;
  return search.end;
}

}  // namespace

void check_stack(std::uintptr_t address, std::size_t size, bool is_write, std::uintptr_t site) {
  const auto owner = static_cast<int>((address - kStackBase) / kStackStride);
  if (owner == NativeProgram::current->id || owner >= program().thread_count()) return;
  program().own_stacks().note_access(owner);
  Thread& lender = program().thread(owner);
  const bool is_over = lender.state == Thread::State::kFinished;
  if (is_over && owner == 0) return;  // main's is there as long as the process
  const auto name = [&] { return owner == 0 ? std::string("main") : "thread " + std::to_string(owner); };
  if (is_over) fail_on_memory(trace::BugKind::kUseAfterFree, address, size, is_write, site, "a local variable of " + name() + ", which has ended");
  if (is_below_all_functions(lender, address))
    fail_on_memory(trace::BugKind::kUseAfterFree, address, size, is_write, site, "a local variable of a function of " + name() + " that has returned");
  lender.lent.begin = lender.lent.begin == 0 ? address : std::min(lender.lent.begin, address);
  lender.lent.end = std::max(lender.lent.end, address + size);
}

void note_frame_given_back(Thread& thread, std::uintptr_t end, std::uintptr_t site) {
  if (end == 0) end = end_of_frame(site);
  if (end <= thread.lent.begin) return;
  const LentStack lent =
      std::exchange(thread.lent, thread.lent.end > end ? LentStack{end, thread.lent.end} : LentStack{});
  note_freed(lent.begin, std::min(lent.end, end) - lent.begin, site);
}

void note_stack_given_back() {
  Thread& thread = *NativeProgram::current;
  if (thread.lent.begin == 0) return;
  if (is_testing) return note_freed(thread.lent.begin, thread.lent.end - thread.lent.begin, 0);  // how far down it went is not known, and its functions have returned
  const std::uintptr_t begin =
      std::min(thread.lowest_stack, reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0)));
  note_freed(begin, stack_end(thread.id) - begin, thread.site);
}

}  // namespace ordeal::runtime
