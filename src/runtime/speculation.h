// Whether two states of a thread, at the same load, lead to the same: tried out in copies of the process.
//
// One copy goes on from the state that the thread was in when it was here before, one from that of now, both with the value
// that the load has returned now. Each runs to the thread's next operation, tells a digest of everything there (the operation,
// registers, stack, the program's data, heap and thread-local storage) and ends. If the digests are equal, what differed was
// dead. Results are kept: the same question has the same answer, as long as the memory that the copies looked at is the same.
#pragma once

#include <cstdint>

#include "engine/operation.h"
#include "runtime/thread.h"

namespace ordeal::runtime {

class Speculation {
 public:
  /// The place of the next operation, if both states lead to the same one in the same state; 0: they do not, or nobody knows.
  static std::uintptr_t common_next_site(const Thread& thread, const SpinVisit& before, const SpinVisit& now, std::uint64_t value);
  /// Whether this process is a copy.
  static bool is_on() { return is_on_; }
  /// The search begins anew: places where nothing came of asking are asked about again.
  static void begin_round();
  /// The copy accesses memory outside its stack. REQUIRES: is_on().
  static void note_access(const Thread& thread, std::uintptr_t address, std::size_t size);
  /// The copy has come to the thread's next operation.
  [[noreturn]] static void finish(const Thread& thread, const engine::Operation& operation, std::uintptr_t site);

 private:
  static bool is_on_;
};

}  // namespace ordeal::runtime
