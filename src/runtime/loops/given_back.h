// Turns that take something and give it back (rule Z, ADR 34):
//
//     while (lock.fetch_sub(1, acquire) <= 0) {         a: takes
//       lock.fetch_add(1, relaxed);                     b: gives back
//       while (lock.load(relaxed) <= 0) {}
//     }
//
// Such a turn changes memory, but only for a while. Take a *pair* a = fetch_add(k), b = fetch_add(-k) out of an execution: what was written between the two is less by k,
// everything else is as before. So the turn can be left out if nobody cares about that k:
//
//   chain: what others have written between a and b, in the chain of read-modify-writes that leads from b back to a, are fetch_adds that go on in the same way with k less,
//     and access the same on their way (they are *insensitive*). All of it comes before b, so the answer is a function of the thread's past.
//   fact: whoever reads the object and does not write it goes on in the same way with k less, or is stopped there by rule A. Those who read the middle value need not
//     come before b, and may only be in executions that are left out. So each read is tried out with every value that it would find if some of the turns that were left out were there:
//     v + s, where each other thread has at most one pair under way. If a read is found to care about k, in any execution, k is *refuted* for that object, and the search begins again.
//
// Nothing is done for objects on which nobody was seen to take, give back, and take again. If somebody was, the search begins again and the object is *watched*: its
// fetch_adds are steps of the trace, each knows what it read from, and each read is tried out. Whatever cannot be tried out refutes.
//
// Whether an RMW is insensitive is kept by its place in the code: one that ever was sensitive is so from then on. If a turn was left out because of it, the search begins again.
//
// A thread that is stopped here does not count as waiting: its turn changes memory. Who would go round for ever is looked for in agent/endless_turns.h.
#pragma once

#include <cstdint>
#include <vector>

#include "runtime/thread.h"

namespace ordeal::runtime {

class GivenBack {
 public:
  /// Off by default.
  void set_on(bool on) { is_on_ = on; }

  /// Whether anything is watched in this round.
  bool are_there() const { return !objects_.empty(); }
  bool is_watched(std::uintptr_t address) const { return !objects_.empty() && find(address) != nullptr; }

  /// What an addition or subtraction of so many bytes adds; the sum of two that cancel out is 0.
  static std::uint64_t amount_added(model::RmwFunction function, std::uint64_t operand, std::uint32_t size) {
    const unsigned unused = 64 - 8 * size;
    const std::uint64_t amount = function == model::RmwFunction::kSub ? 0 - operand : operand;
    return static_cast<std::uint64_t>(static_cast<std::int64_t>(amount << unused) >> unused);
  }
  /// The thread has added `amount` to an object that is not watched, which was an effect: perhaps it is to be.
  void look_for_pair(Thread& thread, std::uintptr_t address, std::uint32_t size, std::uint64_t amount) {
    LastAdd& last = thread.spin.last_add;
    const bool goes_on = last.address == address && last.amount + amount == 0 && last.effects + 1 == thread.spin.effects;
    last = {address, amount, thread.spin.effects, goes_on ? last.length + 1 : 1};
    if (last.length >= 3 && is_on_ && !thread.is_alone) watch(address, size);
  }
  /// The thread's last event is the write of an addition to a watched object.
  void note_add(Thread& thread, std::uintptr_t address, std::uintptr_t site, std::uint64_t amount);

  /// The thread is about to make an operation: what it has read of a watched object must have been tried out by then.
  void begin_operation(Thread& thread) {
    if (thread.spin.untested != 0) give_up_untested(thread);
  }
  /// It has its result.
  void end_operation(Thread& thread);
  /// The thread is `here` now. Tries out what it has read with its last operation.
  void try_out(Thread& thread, const Step& here);

  /// Whether the thread's turn from its step `first` to `end`, which is its step number `last` or behind them all, has effects, but all of them are given back.
  bool is_turn(const Thread& thread, int first, int last, const Step& end) const;
  /// Whether it can be left out, as far as others are concerned. REQUIRES: is_turn, and the thread goes on in the same way without it.
  bool may_be_left_out(Thread& thread, int first, const Step& end);

  /// All turns of this object are kept from now on.
  void give_up(std::uintptr_t address);
  bool must_begin_anew() const { return must_begin_anew_; }
  void begin_round();

 private:
  /// Pairs fetch_add(amount), fetch_add(-amount) on an object.
  struct Amount {
    std::uint64_t amount = 0;
    bool is_refuted = false;
    std::vector<int> threads;    // that make them, as known when the round began
    std::vector<int> new_threads;
  };
  struct Site {
    std::uintptr_t site;
    std::uint64_t amount;
    bool is_tried = false;      // at all
    bool is_sensitive = false;  // it was, once
    bool is_relied_on = false;  // in this round: a turn was left out because it is not
    bool is_missed = false;     // likewise: one was kept because it had not been tried out yet
  };
  struct Object {
    std::uintptr_t address = 0;
    std::uint32_t size = 0;
    bool is_given_up = false;  // from the next round on
    std::vector<Amount> amounts;
    std::vector<Site> sites;
  };
  /// What comes of a value.
  struct Way {
    std::uint64_t value;
    bool is_known = false, is_stopped = false;
    std::vector<Range> accesses;  // to its stack
    Step there;
  };

  void watch(std::uintptr_t address, std::uint32_t size);
  const Object* find(std::uintptr_t address) const {
    for (const Object& object : objects_)
      if (object.address == address) return &object;
    return nullptr;
  }
  Object* find(std::uintptr_t address) { return const_cast<Object*>(static_cast<const GivenBack*>(this)->find(address)); }
  void give_up(Object& object);
  void give_up_untested(Thread& thread);
  void refute(Amount& amount);
  static bool is_of_others(const Amount& amount, int thread);
  void make_sensitive(Site& site);
  void note_insensitive(Site& site);
  void try_out_add(const Thread& thread, Object& object, const Step& read);
  void try_out_read(const Thread& thread, Object& object, const Step& read);
  static std::size_t way_of(const Thread& thread, const Step& read, std::uint64_t value, std::vector<Way>& ways);
  /// Whether the thread goes on in the same way with `value` and with `other`, or is stopped there with `value`.
  static bool is_tolerated(const Thread& thread, const Step& read, std::uint64_t value, std::uint64_t other, std::vector<Way>& ways);
  static bool is_same(const Way& one, const Way& other);
  bool is_found(Object& object, std::uint64_t amount, int thread);
  static Site& site_of(Object& object, std::uintptr_t site, std::uint64_t amount);
  /// Whether the chain from b leads back to a as it must.
  bool is_chain(const Thread& thread, Object& object, const Half& a, const Half& b);

  static constexpr int kMostRounds = 24;  // then nothing is watched any more
  static constexpr std::size_t kMostObjects = 16, kMostAmounts = 8, kMostSums = 32;
  std::vector<Object> objects_, new_objects_;
  std::vector<std::uintptr_t> given_up_;
  bool is_on_ = false, must_begin_anew_ = false;
  int rounds_ = 0;
};

/// The current thread's last event is the write of this read-modify-write, which read `before`. What is only written back changes nothing.
struct Cell;
void note_rmw(const Cell& cell, const model::Access& access, model::Value before);

}  // namespace ordeal::runtime
