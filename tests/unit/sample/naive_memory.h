// What sample::Memory must allow, from the words of the standard: all events are kept, every question looks at all of them.
//
// Modification order is total and S is the order of execution, as there. hb by closure; [intro.races]p14–p18 and [atomics.order]p4
// as they are written; nothing is dropped. For tests of few events.
#pragma once

#include <vector>

#include "model/event.h"

namespace ordeal::sample::testing {

using model::MemoryOrder;

class NaiveMemory {
 public:
  explicit NaiveMemory(int locations);

  // Each appends an event and returns its number. Writes are named by their events; the initial ones are 0 … locations - 1.
  int read(int thread, int location, int source, MemoryOrder order);
  /// Right behind `after` in modification order.
  int write(int thread, int location, int after, MemoryOrder order);
  int rmw(int thread, int location, int source, MemoryOrder order);
  int fence(int thread, MemoryOrder order);
  /// hb from all that the parent has done to all that the child does.
  void create(int parent, int child);
  void join(int thread, int other);

  /// Whether the thread, as its next step, may read `source`; or write behind it.
  bool allows(int thread, int location, int source, MemoryOrder order) const;
  bool is_taken(int write) const { return events_[static_cast<std::size_t>(write)].is_taken; }
  const std::vector<int>& modification_order(int location) const { return mo_[static_cast<std::size_t>(location)]; }

 private:
  struct Event {
    int thread = -1;  // in threads_
    int location = -1;  // -1: a fence
    MemoryOrder order = MemoryOrder::kRelaxed;
    bool is_fence = false, reads = false, writes = false, is_taken = false;
    int source = -1;
    std::vector<char> before;  // by event: happens before this one
  };
  struct Thread {
    std::vector<int> events;
    std::vector<char> before;  // what happens before its next event
  };

  const Event& at(int event) const { return events_[static_cast<std::size_t>(event)]; }
  Thread& thread(int number);
  int incarnation(int number) const { return static_cast<std::size_t>(number) < incarnations_.size() ? incarnations_[static_cast<std::size_t>(number)] : 0; }
  int place(int write) const;      // in modification order
  int position(int access) const;  // of what it wrote, or else read
  int append(Event event);
  void learn(std::vector<char>& before, int event) const;
  void synchronise(std::vector<char>& before, int read) const;
  bool is_before(int event, const std::vector<char>& before) const { return static_cast<std::size_t>(event) < before.size() && before[static_cast<std::size_t>(event)] != 0; }
  bool seq_cst_forbids(int later, bool is_sc, const std::vector<char>& before) const;

  std::vector<Event> events_;
  std::vector<Thread> threads_ = std::vector<Thread>(1);
  std::vector<int> incarnations_ = {0};  // number → in threads_; a number that is used again is another thread
  std::vector<std::vector<int>> mo_;
  int locations_;
};

}  // namespace ordeal::sample::testing
