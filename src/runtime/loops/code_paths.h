// Whether all that the program's code may do on its way to a thread's next operation is seen by the runtime.
//
// A configuration has what the thread has written, and a speculation puts that back: both know of it by the calls that the compiler has put before each access.
// Code without them, of a library or in assembler, may write anywhere. So the machine code is looked through: from the place where an
// operation returns, all paths are followed to the next call of the runtime that is no plain access, or to where the function returns; functions that
// are called there too. Code is seen if it belongs to an instrumented function; or if it writes nothing but its own stack and calls nothing.
// What cannot be followed (a computed jump, a call by pointer) is not seen. Of a call by pointer it is known afterwards whether its function was instrumented: then that has announced itself (trace.h). Without the decoder nothing is.
#pragma once

#include <cstddef>
#include <cstdint>
#include <set>

#include "runtime/loops/function_frame.h"

namespace ordeal::runtime {

class CodePaths {
 public:
  /// Of the code from `site` on, which lies behind a call. The answer is kept.
  static bool are_seen(std::uintptr_t site);
  /// Whether they are, and the next operation may be the one after whose call `next` lies.
  static bool may_lead_to(std::uintptr_t site, std::uintptr_t next);
  /// Whether some of it is known to be hidden: it calls code that was not instrumented, and that writes. (What cannot be followed is neither.)
  static bool have_hidden(std::uintptr_t site);
  /// Where the calls by pointer that it may come to return to. Where they lead nobody knows before they are made.
  static const std::set<std::uintptr_t>& pointer_calls(std::uintptr_t site);
  /// The operations that may come next, before it returns; nullptr: that is not known.
  static const std::set<std::uintptr_t>* next_operations(std::uintptr_t site);
  /// Whether it has been found that none is, and there are no calls by pointer, nor is this the place behind one. A quick look.
  static bool are_known_to_be_plain(std::uintptr_t site) { return plain_[slot_of(site)] == site; }

  static Callee callee_at(std::uintptr_t code);
  /// Whether the function that begins there announces that it does: a part of a function does not.
  static bool is_instrumented(std::uintptr_t function);

 private:
  static constexpr std::size_t kSlots = 1024;
  static std::size_t slot_of(std::uintptr_t site) { return (site * 0x9E3779B97F4A7C15ULL) >> 54; }
  static inline std::uintptr_t plain_[kSlots] = {};
};

}  // namespace ordeal::runtime
