// The plain half of the __tsan_* ABI: the compiler calls these just before each plain access, and at the borders of
// functions.
#include <cstddef>
#include <cstdint>

#include "runtime/abi.h"
#include "runtime/access.h"
#include "runtime/annotations.h"
#include "runtime/lent_stack.h"
#include "runtime/loops/trace.h"
#include "runtime/testing.h"
#include "runtime/volatile_access.h"
#include "runtime/watchdog.h"

namespace ordeal::runtime {
namespace {

/// `is_new`: the program has seen already that the shadow does not have it (fast_path.cpp).
[[gnu::always_inline]] inline void read(void* address, std::size_t size, std::uintptr_t site, bool is_new = false) {
  const auto place = reinterpret_cast<std::uintptr_t>(address);
  if (ordeal_plain_state.is_noted) {
    if (is_new || !RaceShadow::has(place, size, false)) Testing::note_plain(place, size, false, site);
    return;
  }
  if (NativeProgram::current == nullptr) {
    if (Speculation::is_on()) [[unlikely]] Speculation::note_access(place, size, false, site);
    return;
  }
  if (Annotations::ignores && NativeProgram::current->ignored_reads > 0) [[unlikely]] {
    if (is_testing) return;  // one that is not ignored, in the same tick, would seem to be there already
    site = Annotations::kIgnoredSite;
  }
  plain_read(place, size, site);
}
[[gnu::always_inline]] inline void write(void* address, std::size_t size, std::uintptr_t site, bool is_new = false) {
  const auto place = reinterpret_cast<std::uintptr_t>(address);
  if (ordeal_plain_state.is_noted) {
    if (is_new || !RaceShadow::has(place, size, true)) Testing::note_plain(place, size, true, site);
    return;
  }
  if (NativeProgram::current == nullptr) {
    if (Speculation::is_on()) [[unlikely]] Speculation::note_access(place, size, true, site);
    return;
  }
  if (Annotations::ignores && NativeProgram::current->ignored_writes > 0) [[unlikely]] {
    if (is_testing) return;
    site = Annotations::kIgnoredSite;
  }
  plain_write(place, size, site);
}
[[gnu::always_inline]] inline void read_new(void* address, std::size_t size, std::uintptr_t site) { read(address, size, site, true); }
[[gnu::always_inline]] inline void write_new(void* address, std::size_t size, std::uintptr_t site) { write(address, size, site, true); }

/// Testing may be told that the program means more by it than a plain access.
bool is_more_than_plain(void* address, std::size_t size, bool is_write, std::uintptr_t site) {
  return is_testing && is_checked() && VolatileAccess::note({reinterpret_cast<std::uintptr_t>(address), static_cast<std::uint32_t>(size), site}, is_write);
}
void read_volatile(void* address, std::size_t size, std::uintptr_t site) {
  if (is_testing && is_checked()) Watchdog::stop_if_wanted();  // it may wait for a handler to change it
  if (!is_more_than_plain(address, size, false, site)) read(address, size, site);
}
void write_volatile(void* address, std::size_t size, std::uintptr_t site) {
  if (!is_more_than_plain(address, size, true, site)) write(address, size, site);
}

}  // namespace
}  // namespace ordeal::runtime

#define ORDEAL_PLAIN(NAME, FUNCTION, SIZE) \
  ORDEAL_ABI void NAME(void* address) { ordeal::runtime::FUNCTION(address, SIZE, ORDEAL_SITE); }
#define ORDEAL_PLAIN_SIZES(PREFIX, FUNCTION) \
  ORDEAL_PLAIN(PREFIX##1, FUNCTION, 1)       \
  ORDEAL_PLAIN(PREFIX##2, FUNCTION, 2)       \
  ORDEAL_PLAIN(PREFIX##4, FUNCTION, 4)       \
  ORDEAL_PLAIN(PREFIX##8, FUNCTION, 8)       \
  ORDEAL_PLAIN(PREFIX##16, FUNCTION, 16)

ORDEAL_PLAIN_SIZES(__ordeal_read, read_new)  // fast_path.cpp
ORDEAL_PLAIN_SIZES(__ordeal_write, write_new)
ORDEAL_PLAIN_SIZES(__tsan_read, read)
ORDEAL_PLAIN_SIZES(__tsan_write, write)
ORDEAL_PLAIN_SIZES(__tsan_unaligned_read, read)
ORDEAL_PLAIN_SIZES(__tsan_unaligned_write, write)
ORDEAL_PLAIN_SIZES(__tsan_volatile_read, read_volatile)
ORDEAL_PLAIN_SIZES(__tsan_volatile_write, write_volatile)
ORDEAL_PLAIN_SIZES(__tsan_unaligned_volatile_read, read_volatile)
ORDEAL_PLAIN_SIZES(__tsan_unaligned_volatile_write, write_volatile)

// A read and a write of the same memory: the write alone would do for races, but its value depends on the read.
#define ORDEAL_READ_WRITE(NAME, SIZE)                        \
  ORDEAL_ABI void NAME(void* address) {                      \
    ordeal::runtime::read(address, SIZE, ORDEAL_SITE);       \
    ordeal::runtime::write(address, SIZE, ORDEAL_SITE);      \
  }
ORDEAL_READ_WRITE(__tsan_read_write1, 1)
ORDEAL_READ_WRITE(__tsan_read_write2, 2)
ORDEAL_READ_WRITE(__tsan_read_write4, 4)
ORDEAL_READ_WRITE(__tsan_read_write8, 8)
ORDEAL_READ_WRITE(__tsan_read_write16, 16)
ORDEAL_READ_WRITE(__tsan_unaligned_read_write2, 2)
ORDEAL_READ_WRITE(__tsan_unaligned_read_write4, 4)
ORDEAL_READ_WRITE(__tsan_unaligned_read_write8, 8)
ORDEAL_READ_WRITE(__tsan_unaligned_read_write16, 16)

ORDEAL_ABI void __tsan_read_range(void* address, std::size_t size) { ordeal::runtime::read(address, size, ORDEAL_SITE); }
ORDEAL_ABI void __tsan_write_range(void* address, std::size_t size) { ordeal::runtime::write(address, size, ORDEAL_SITE); }

ORDEAL_ABI void __tsan_vptr_read(void** address) { ordeal::runtime::read(address, sizeof(void*), ORDEAL_SITE); }
/// A constructor or destructor sets the pointer to a class's virtual functions. Setting it to what it is already (derived
/// classes do that a lot) is no conflict.
ORDEAL_ABI void __tsan_vptr_update(void** address, void* value) {
  if (*address != value) ordeal::runtime::write(address, sizeof(void*), ORDEAL_SITE);
}

ORDEAL_ABI void __tsan_init() {}

/// Call stacks are walked when they are wanted (stacks.h); here we only see how deep the stack gets, and what of it is given
/// back. A frame ends where that of its caller begins, as far as that is instrumented.
ORDEAL_ABI void __tsan_func_entry(void* caller) {
  if (ordeal::runtime::is_testing) return;
  ordeal::runtime::Thread* thread = ordeal::runtime::NativeProgram::current;
  if (thread == nullptr) {
    if (ordeal::runtime::Speculation::is_on()) [[unlikely]] ordeal::runtime::Speculation::note_entry(reinterpret_cast<std::uintptr_t>(caller), ORDEAL_SITE);
    return;
  }
  const auto here = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
  if (here < thread->lowest_stack) thread->lowest_stack = here;
  thread->frames.push_back({here, reinterpret_cast<std::uintptr_t>(caller)});
}
ORDEAL_ABI void __ordeal_func_entry(void* caller) __attribute__((alias("__tsan_func_entry")));  // fast_path.cpp
/// GCC makes a jump of a call that is the last thing in a function: then the function's part of the stack is gone already, and the
/// return address is its own.
ORDEAL_ABI void __tsan_func_exit() {
  if (ordeal::runtime::is_testing) return;
  ordeal::runtime::Thread* thread = ordeal::runtime::NativeProgram::current;
  if (thread == nullptr) {
    if (ordeal::runtime::Speculation::is_on()) [[unlikely]] ordeal::runtime::Speculation::note_exit(ORDEAL_SITE);
    return;
  }
  const auto here = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
  auto& frames = thread->frames;
  if (!frames.empty()) ordeal::runtime::note_place(*thread, frames.back().caller);
  const bool is_jump = !frames.empty() && frames.back().stack < here && frames.back().caller == ORDEAL_SITE;
  if (is_jump) frames.pop_back();
  else
    while (!frames.empty() && frames.back().stack <= here) frames.pop_back();
  const bool lends = thread->lent.begin != 0 && (frames.empty() || thread->lent.begin < frames.back().stack);
  if (lends) [[unlikely]] ordeal::runtime::note_frame_given_back(*thread, is_jump ? here + 2 * sizeof(void*) : 0, ORDEAL_SITE);
  if (!frames.empty()) ordeal::runtime::NativeProgram::instance->location_table().retire_below(thread->id, frames.back().stack);
}
ORDEAL_ABI void __ordeal_func_exit() __attribute__((alias("__tsan_func_exit")));
