// Code that hides from the instrumentation: functions of the program and of its own libraries that were compiled by something else,
// or are marked no_sanitize. What they do with memory is seen by nobody.
//
// All functions are looked through once, before the first execution, those of libraries that the program opens when it does. One that has locked instructions or fences, outside of inline
// assembly (which has its own mark, tools/assembler.h), is an atomic operation that the search would miss; one without a single
// call of the instrumentation that accesses variables may be part of a race. A trap is set at their first instruction: the one is
// refused when it runs, of the other a note tells. System libraries, the C++ library and test frameworks are left alone.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace ordeal::runtime {

class HiddenCode {
 public:
  /// Looks through those modules that it has not seen. REQUIRES: find_libc was called.
  static void find();
  /// A trap was met at this address. The trap is gone afterwards, and the instruction can be run.
  enum class Trap : std::uint8_t { kNone, kRefused, kNoted };
  static Trap take(std::uintptr_t address);
  /// Why it is refused. REQUIRES: kRefused was the last answer.
  static const std::string& reason();
  /// Places of inline assembly that accesses memory, run while testing (abi_assembly.cpp); 0: no more.
  static constexpr int kMostAssembly = 8;
  static inline std::uintptr_t assembly[kMostAssembly] = {};
  /// What was met, for people.
  static std::vector<std::string> notes();
};

}  // namespace ordeal::runtime
