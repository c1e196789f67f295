// What threads that wait do not want to read: learnt by seeing them come back.
//
// A thread that has read a value in a waiting loop and stands in the same state at the same place again (loops/README.md) has read it in
// vain. Whoever comes to that place in that state later need not try it: the execution would be the same without. So its
// operation waits for another value (Await::kUseful), and the search neither offers it the useless ones nor counts an execution
// in which it only went round.
//
// A loop of two operations (the exchange of a spin lock fails; a load waits until the lock is free; the exchange again): what the first
// reads is useless if the second waits, or leads back, whatever it reads. That holds as long as the location takes only values for
// which that was seen; if another comes up, everything begins anew.
//
// The last operation of a longer turn: last_reads.h.
//
// The state is the thread's stack and registers, and the memory elsewhere that it looks at on its round. The search relies
// on a table that does not change.
// What it looks at must be the same when the thread comes round as when it came there: whoever else writes it must have done so
// before, in happens-before; or only once the thread has gone on. So must whoever reads what the thread writes there. Where that does not hold, such memory is *unsteady*, and everything begins anew without places
// that depend on it. (It would also hide a race of that write and the turn that is left out.)
//
// It goes in rounds, each with what was learnt before; the last one is never interrupted, and it
// is the one that counts. A new round is begun when what has been learnt would have saved enough in this one.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <unordered_map>
#include <vector>

#include "model/useless_values.h"
#include "runtime/digest.h"
#include "runtime/loops/last_reads.h"
#include "runtime/thread.h"

namespace ordeal::runtime {

class WaitingPlaces {
 public:
  /// Off by default: operations never wait for useful values.
  void set_on(bool on) { is_on_ = on; }
  bool is_on() const { return is_on_; }

  /// The thread has come to `now`. Returns the number of the place, or -1 if nothing is known to be useless there.
  int arrive(Thread& thread, Step& now);
  /// Whether a weak compare-exchange that fails there without reason does so in vain.
  bool fails_in_vain(int place) const { return spurious_.contains(place, 0); }
  /// The thread stands there again where it was at visit `first`, all of whose successors are kept.
  void note_round(const Thread& thread, int first);
  /// The thread is stopped for what its last step has read: since its step `first` it has done nothing that matters.
  void note_last_read(const Thread& thread, int first) {
    if (is_on_) missed_ += last_reads_.note(thread, first) ? 1 : 0;
  }
  bool has_objects() const { return !objects_.empty(); }
  /// An atomic object holds, or held, `value`.
  void note_value(std::uintptr_t address, model::Value value) {
    if (!objects_.empty()) note_value_of_known(address, value);
    last_reads_.note_value(address, value);
  }

  /// The thread accesses memory, plainly or atomically, or gives it back.
  void note_access(const Thread& thread, const Range& range) {
    if (range.is_written ? has_ranges_ : has_written_ranges_) note_access_of_watched(thread, range);
  }

  const model::UselessValues& values() const { return values_; }
  /// Whether the search should begin anew, which has run `executions` so far.
  bool wants_new_round(std::uint64_t executions) const;
  /// Whether it must: what it relied on does not hold.
  bool must_begin_anew() const { return is_on_ && (is_given_up_ || is_broken_); }
  void begin_round();
  /// What was learnt relied on something that does not hold.
  void forget();
  /// Begin anew and learn nothing any more.
  void give_up() { is_given_up_ = true; }

 private:
  /// What threads wait for.
  struct Object {
    std::vector<model::Value> seen;                  // all values that it was seen to hold
    std::vector<std::vector<model::Value>> allowed;  // in this round: each list must go on to hold all of them
    bool is_banned = false;                          // it took another value
  };
  /// What a thread in some state looks at on its round: as known in this round, and for the next.
  struct State {
    std::vector<Range> ranges, next_ranges;
    bool is_unsteady = false;
  };
  /// The first of two operations has read `value`; the second, at another place, reads `address`.
  struct FirstOfTwo {
    int place;
    model::Value value;
    int second;
    std::uintptr_t address;
    std::vector<model::Value> leading_back;  // what the second has read then
    Digest first_state, second_state;
    int round;  // in which it was last learnt
  };
  struct Learnt {
    model::UselessValues all, in_this_round;
  };

  int arrive_alone(Thread& thread, Step& now);
  int find(const Digest& state, const std::vector<Range>& ranges) const;
  int learn_place(const Thread& thread, const Step& visit, std::size_t first_look);
  void learn_pair(const Thread& thread, const Step& first, const Step& second);
  void note_value_of_known(std::uintptr_t address, model::Value value);
  void rely_on(const FirstOfTwo& pair);
  void look_at_all_of(const Digest& second, const Digest& first);
  bool relies_on(Thread& thread, const std::vector<Range>& ranges);
  void note_access_of_watched(const Thread& thread, const Range& range);
  void give_up_range(const Range& range);
  bool is_unsteady(const Range& range) const;

  bool is_on_ = false, is_given_up_ = false, is_broken_ = false;
  std::set<std::uintptr_t> sites_;  // where threads wait
  std::unordered_map<std::uintptr_t, Object> objects_;
  std::map<Digest, State> states_;
  std::map<Digest, int> numbers_;  // state and memory → place
  model::UselessValues values_, spurious_;  // in use in this round; spurious: 0, for failures without reason
  Learnt learnt_values_, learnt_spurious_;  // by loops of one operation
  std::vector<bool> has_values_;                 // by place, in this round
  std::vector<FirstOfTwo> pairs_;
  LastReads last_reads_;
  std::vector<Range> unsteady_;
  bool has_ranges_ = false, has_written_ranges_ = false;  // in this round
  std::uint64_t missed_ = 0;  // threads that were stopped in this round, and would not be with what has been learnt since
  int rounds_ = 0;
  std::uint64_t shortest_round_ = 8;  // executions
};

}  // namespace ordeal::runtime
