// Atomic objects that one thread alone uses, as a flag for debugging is, which is set and reset in each turn of a loop:
//
//     while (!go.load()) { polling.store(1); …; polling.store(0); }
//
// Each of these stores would be an effect, and the turn would be kept. But if nobody else accesses the object, they are like plain writes to memory of the
// thread's own: what holds its old value again was not changed.
//
// **The fact** for an object x and its thread t: in no execution of the round, blocked ones included, is there an access to x by another thread, atomic or
// plain, but for those
//   (a) that happen before t is created, by the one that creates it: x is initialised; or
//   (b) that happen after t has ended: a join comes between. The flag is printed, or asserted, or its memory is given back.
// It is a fact of the round, not of an execution: where t has just made its turn, nobody else need come to x, and where he does, t may have made none
// (loop_trap_f2).
//
// **Why a turn may be left out.** Let I be the part of t that is taken out (README.md), and let x hold at its end what it held where it began. All writes to x
// are ordered by happens-before, and t's are next to each other in mo. So whoever reads a write of I, outside I, is t, later, or somebody to whom t's end
// happens before; and he reads the last one, w'. Without I he reads w, the last write before I, which has the same value and is next to it in mo. That makes no
// order grow: w and its new reader are ordered by po, or by po and the join, so rf, and what is released by it, adds nothing to hb, and nothing to the order of
// seq_cst (where eco between two that are ordered by hb adds nothing to hb); and the reader comes before the same writes in mo as before. With a release store
// to x nobody but t learns of plain writes before it: it shows them to nobody. Barriers (tso) and seq_cst operations in I are taken out with it: orders shrink.
//
// **Why the fact is refuted if it is wrong.** Let r be an access that it does not allow, in an execution of the program without any rule; take one that is
// minimal in po ∪ rf. All that r comes from obeys the fact, so what is redundant there can be left out; what is left, with r, is part of an execution that the
// search visits, and r is not allowed there either: hb has only shrunk. If r itself is in a turn of its thread that is left out, it is made before the thread
// is stopped. (Or that turn was learnt to be useless, whatever it reads: waiting_places.h.)
//
// Rules B and N take an operation c for an earlier one: neither c, nor what follows it until the configurations are compared, may be an operation on x, for
// what it gave comes from I.
//
// It is off for each object, until a turn is seen in which a thread changes it and changes it back, and nobody else comes to it in that execution; then the
// search starts again. (A thread that is in the same configuration after such a turn is stopped there, since it might go round forever: that execution counts
// for nothing.) If the fact is refuted, it starts again, and that object is never taken for a flag again.
#pragma once

#include <cstdint>
#include <vector>

#include "runtime/digest.h"
#include "runtime/thread.h"

namespace ordeal::runtime {

class OwnFlags {
 public:
  /// The thread, which is not stopped, has come to `now`: whether it has come round, and has only set and reset something, is looked at.
  void arrive(Thread& thread, const Step& now) {
    if (thread.spin.last_change == now.effects) look_for_turn(thread, now);
  }
  /// The thread accesses memory, plainly or atomically, or gives it back.
  void note_access(const Thread& thread, const Range& range) {
    if (are_watched_) note_access_of_watched(thread, range);
  }
  /// Whether a write of the thread to this object is like one to its own memory. REQUIRES: it is about to be made.
  bool is_own_write(const Thread& thread, std::uintptr_t address, std::size_t size) { return are_on_ && note_write(thread, address, size); }
  /// Whether the object is such a one.
  bool has(const Thread& thread, const Call& call) const { return are_on_ && find(thread.id, call.address, call.size) != nullptr; }

  /// A given execution is run: a thread that goes round, and is not to go on, waits there.
  void set_replaying(bool on) { is_replaying_ = on; }
  /// Whether some were found that are not in use yet: with them the search is shorter.
  bool are_found() const;
  /// Whether it must start again: one that was used is none, or a thread was stopped because of one that is not in use yet.
  bool must_begin_anew() const { return must_begin_anew_; }
  void begin_round();

 private:
  enum class State : std::uint8_t { kFound, kOn, kShared };
  struct Flag {
    std::uintptr_t address;
    std::size_t size;
    int owner;
    State state;
    bool is_used;  // in this round
  };
  static constexpr std::size_t kMostFlags = 16;
  static constexpr int kMostRounds = 8;  // in which some are found

  void look_for_turn(Thread& thread, const Step& now);
  bool has_only_flags(const Thread& thread, const Step& then, const Step& now) const;
  bool add(int owner, std::uintptr_t address, std::size_t size);
  void stop(Thread& thread, const Step& then, const Step& now);
  void note_access_of_watched(const Thread& thread, const Range& range);
  bool note_write(const Thread& thread, std::uintptr_t address, std::size_t size);
  const Flag* find(int owner, std::uintptr_t address, std::size_t size) const;
  void count();

  std::vector<Flag> flags_;
  bool are_on_ = false, are_watched_ = false, must_begin_anew_ = false, is_replaying_ = false;
  int rounds_ = 0;
};

/// The thread has written to a flag of its own; memory has what was there before.
void note_own_write(Thread& thread, std::uintptr_t address, std::size_t size);

/// The thread's last effect is an atomic write to this object, which held `before`.
inline void note_change(Thread& thread, std::uintptr_t address, std::uint32_t size, std::uint64_t before) {
  LoopTrace& trace = thread.spin;
  trace.changes[trace.effects % TracePosition::kMostChanges] = {trace.effects, address, size, before};
  trace.last_change = trace.effects;
}

}  // namespace ordeal::runtime
