// Stores in waiting loops that store again what the thread has stored there itself:
//
//     while (!go.load()) here.store(1);      do node->next.store(top); while (!head.compare_exchange_weak(top, node));
//
// Such a store is no effect (loops/README.md): whoever reads it could as well read the one before, which has the same value and the same
// order, and which nobody else's write comes after. A turn of the loop with nothing else in it can be left out. (The
// first turn cannot: somebody may wait for the value.)
//
// That holds as long as nobody else writes the object, except before the first of the stores, in happens-before. If somebody
// does, in any execution, the search begins anew, and stores to that object are effects from then on.
#pragma once

#include "runtime/locations.h"
#include "runtime/thread.h"

namespace ordeal::runtime {

class RepeatedStores {
 public:
  explicit RepeatedStores(Locations& locations) : locations_(locations) {}

  /// The thread's last event is a store, which memory gets. Whether it repeats the thread's own last one.
  bool put_stored(const Thread& thread, model::LocationId location, model::Value value, model::MemoryOrder order);
  /// The same for any other write. It repeats nothing.
  void put_written(const Thread& thread, model::LocationId location, model::Value value);

  bool must_begin_anew() const { return must_begin_anew_; }
  void begin_round() { must_begin_anew_ = false; }

 private:
  void note_write(const Thread& thread, NativeLocation& location, model::MemoryOrder order);

  static constexpr int kMostRounds = 4;  // then no store is a repetition any more
  Locations& locations_;
  bool must_begin_anew_ = false;
  int rounds_ = 0;
};

}  // namespace ordeal::runtime
