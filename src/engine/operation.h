// What a program asks for: the next step of one of its threads.
#pragma once

#include <cstdint>

#include "base/vector_clock.h"
#include "model/event.h"

namespace ordeal::engine {

using model::Access;
using model::LocationId;
using model::MemoryOrder;
using model::ThreadId;
using model::Value;

/// What to fill in for those on sync objects, besides thread, location, site and bits (access.kind is kRead for all):
///   kLock     await kApplicable, order kAcquire, and the function of the object:
///               kCompareExchange, expected 0, operand 1             a mutex, or a read-write lock for a writer
///               kLockShared                                         … for a reader: bit 0 is the writer, 2 for each reader
///               kTake                                               a semaphore: how often it can be taken
///   (try)     kind kRmw, the same without await, failure_order kRelaxed
///   kUnlock   function kUnlock, order kRelease                      by the thread that holds it
///   (others)  kind kRmw: kSub 2 (a reader unlocks), kAdd (a semaphore is posted), order kRelease
///   kAwait    await kEqual or kNotEqual, operand (a mask), expected, order: a load of an atomic, and a choice what it reads
///   kAwait    await kWoken, operand (the thread's own bit, which its last RMW there has set): no access to memory
///   kAwait    await kReached, expected (a value that is written once), order: likewise, but it may acquire
///   kNotify   function kClearOne, order kRelaxed                    the result is what it read: 0, nobody waited
enum class OperationKind : std::uint8_t {
  kLoad,
  kStore,
  kRmw,     // also compare-exchange; one that fails is a load
  kFence,
  kLock,    // waits until the location is free, and takes it: a mutex, a read-write lock, a semaphore
  kUnlock,  // makes it `operand`; only by the thread that holds it
  kAwait,   // a load that waits until the value is right: see access.await (model/event.h)
  kNotify,  // clears one bit of the location, any (a choice), or none if it is 0: wakes one waiter
  kCreate,  // starts thread access.other
  kJoin,    // waits for thread access.other
  kChoose,  // any value below `alternatives`
  kNote,    // an annotation: tag in `alternatives`, payload in access.operand
  kFinish,  // the thread has ended
  kBlock,   // the thread cannot go on in this execution: see `cut`
};

/// Why a thread cannot go on.
enum class Cut : std::uint8_t {
  kNothing,
  kSpin,        // a waiting loop that can only be left if another thread writes
  kUnnotified,  // it waits for a notification of an atomic, with what its last load read
  kRedundant,   // another execution comes to the same: the thread went round a waiting loop in vain
  kAssumption,  // the program said this execution does not matter
  kBound,       // a bound of the search: the verdict is "bounded"
  kBug,         // the thread went wrong and is stopped there
};

struct Operation {
  OperationKind kind = OperationKind::kFinish;
  Cut cut = Cut::kNothing;
  MemoryOrder written = MemoryOrder::kRelaxed;      // the order in the source; access.order is the one in force
  std::uint32_t alternatives = 0;
  Access access;
};

/// What the thread gets back.
struct Result {
  Value value = 0;       // read or chosen
  bool succeeded = true; // of a compare-exchange
  bool next_is_known = false;             // the execution is run again, and the thread's next operation is in the graph
  bool is_initial = false;                // the value read is the initial one
  bool has_later = false;                 // another write of the location has come up since the one that was read
  std::int64_t source = -1;               // names the write that was read, in this execution; -1: nothing was read
  int width = 0;
  const base::ClockEntry* hb = nullptr;   // how many events of each thread happen before the thread's next step
  const base::ClockEntry* porf = nullptr; // … and how many it comes from, by po ∪ rf: those that may have caused it
};

}  // namespace ordeal::engine
