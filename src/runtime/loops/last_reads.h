// The last read of a turn that can be left out: no thread needs to make it.
//
//     pos = tail.load(); do … while (!tail.compare_exchange(pos, pos + 1));
//
// The compare-exchange fails with value v, and rule B stops the thread: the load could have read v. For each v that it could read there was such an
// execution, and they all go on in the same way without this thread. So v is *useless* to the compare-exchange: it waits for another value (waiting_places.h), and
// of these executions one is left.
//
// Whether v is useless is a function of v and of the configurations since the thread's last effect: it is tried out where v leads to, and where the earlier operations would lead to with
// it (speculation.h). Both ways must access nothing but the stack, so that nothing else enters. The function is asked where threads were seen to be stopped, and for values that
// were seen there: both sets are fixed for a round. The answers are kept, and are the same whenever they are computed.
//
// A value that leads back to an earlier configuration (rule A) makes a thread wait; another is redundant. Only who waits may wait forever.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <unordered_map>
#include <vector>

#include "model/useless_values.h"
#include "runtime/digest.h"
#include "runtime/thread.h"

namespace ordeal::runtime {

class LastReads {
 public:
  /// The thread is stopped for what its last step has read. Whether that would not happen in a new round, and does in this one.
  bool note(const Thread& thread, int first);
  /// An atomic object holds, or held, `value`.
  void note_value(std::uintptr_t address, model::Value value) {
    if (!seen_.empty()) note_value_of_known(address, value);
  }

  bool are_there() const { return !sites_.empty(); }
  /// Whether threads were seen to be stopped after this operation.
  bool may_be_one(const Step& now) const { return sites_.contains(now.call.site); }
  /// The number of a place in `values` that has what is useless to the thread's operation `now`; -1: nothing.
  int arrive(Thread& thread, Step& now, model::UselessValues& values);

  /// Places have numbers from `first` on.
  void begin_round(int first);

 private:
  /// What is known of the configurations since the last effect.
  struct Place {
    int number = -1;  // -1: nothing is useless
    int longest = 0;  // so many steps before this one the longest turn begins
    int waiting = -1; // … and the shortest one that leads back; -1: none does
  };
  void note_value_of_known(std::uintptr_t address, model::Value value);
  Place look(Thread& thread, Step& now, model::UselessValues& values);

  std::set<std::uintptr_t> sites_, next_sites_;  // in this round, and for the next
  std::unordered_map<std::uintptr_t, std::vector<model::Value>> values_, seen_;  // likewise, by object
  std::map<Digest, Place> places_;
  int next_number_ = 0;
};

}  // namespace ordeal::runtime
