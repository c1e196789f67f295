// Events: what an execution consists of.
//
// A read-modify-write is two events, a read immediately followed in its thread by its write, and one evaluation of the
// standard; both carry `is_rmw`. A failing compare-exchange is a plain read with the failure order.
//
// An event is named by its *slot*: its place in the graph's array. Slots are in an order that respects po ∪ rf, so every
// event stands behind all that it depends on. The initial write of location l has the slot `initial_write(l)`, which is
// negative. After a revisit events move to other slots; what stays is (thread, index) and the stamp.
#pragma once

#include <cstdint>
#include <limits>

namespace ordeal::model {

enum class ThreadId : std::int32_t {};
enum class LocationId : std::int32_t {};
enum class Slot : std::int32_t {};

constexpr std::int32_t number(ThreadId id) { return static_cast<std::int32_t>(id); }
constexpr std::int32_t number(LocationId id) { return static_cast<std::int32_t>(id); }
constexpr std::int32_t number(Slot id) { return static_cast<std::int32_t>(id); }

/// "No such event": below every initial write.
constexpr Slot kNone = Slot{std::numeric_limits<std::int32_t>::min()};
constexpr LocationId kNoLocation = LocationId{-1};
constexpr ThreadId kNoThread = ThreadId{-1};
constexpr Slot initial_write(LocationId location) { return Slot{-1 - number(location)}; }
constexpr bool is_initial(Slot slot) { return slot != kNone && number(slot) < 0; }

using Value = std::int64_t;

enum class MemoryOrder : std::uint8_t { kPlain, kRelaxed, kAcquire, kRelease, kAcqRel, kSeqCst };

constexpr bool acquires(MemoryOrder order) {
  return order == MemoryOrder::kAcquire || order == MemoryOrder::kAcqRel || order == MemoryOrder::kSeqCst;
}
constexpr bool releases(MemoryOrder order) {
  return order == MemoryOrder::kRelease || order == MemoryOrder::kAcqRel || order == MemoryOrder::kSeqCst;
}

enum class EventKind : std::uint8_t {
  kRead,
  kWrite,
  kFence,
  kCreate,  // of thread `other`; synchronises with its first event
  kJoin,    // of thread `other`, which has finished; its last event synchronises with this one
  kChoice,  // the program asked for a value: a branch of its own kind
  kNote,    // an annotation (tag, payload): no effect on memory
  kWake,    // a thread that waited goes on, behind the write `rf`; no access, and it synchronises with nothing
  kAttempt, // an operation that still waits: see `rf`. No effect, and no part of the execution's class
};

/// What a read-modify-write does to the value it reads.
enum class RmwFunction : std::uint8_t {
  kNone,
  kExchange,
  kAdd,
  kSub,
  kOr,
  kAnd,
  kXor,
  kCompareExchange,
  kTake,        // one less, if it is more than 0: a semaphore
  kLockShared,  // 2 more, if bit 0 is clear: one reader more, unless a writer holds it
  kClearOne,    // clears one of the bits that are set, any; a plain read if there is none
  kUnlock,      // reads what its own thread wrote last, makes it `operand`: 0, or how a robust mutex was left
  kLockRobust,  // sets bit 0, if it is clear: a robust mutex
};

/// What an operation waits for.
enum class Await : std::uint8_t {
  kNone,
  kApplicable,  // an RMW: a value that it changes, as a lock waits for 0
  kEqual,     // a load: (value & operand) == expected
  kNotEqual,  // a load: (value & operand) != expected
  kUseful,    // any read: a value that is not known to be useless at place `other` (useless_values.h)
  kWoken,     // that the bits `operand`, which its thread has set, are cleared: it goes on behind the RMW that did that
  kReached,   // that `expected` is written, once, behind what its thread has written: it goes on behind that write
};
/// Whether it waits for a certain write, and reads nothing.
constexpr bool is_wake(Await await) { return await >= Await::kWoken; }
/// Whether it waits for another value to read.
constexpr bool is_for_value(Await await) { return await >= Await::kEqual && await <= Await::kUseful; }

/// What a choice is about (Access::operand of kChoice). 0 and 1 are the alternatives where nothing is said.
enum class ChoiceOf : std::int64_t {
  kProgram,       // the program asked for a number
  kWakeUp,        // whether a wait ends for no reason
  kTimeLimit,     // whether the time of a wait is up
  kTime,          // whether a long time passes until a loop looks at the clock again
  kNotification,  // whether a wait for an atomic goes on only when it is notified
  kWaiter,        // which of those that wait is woken
};

/// One memory access or fence as the program asks for it; what the model needs to know of an operation.
struct Access {
  EventKind kind = EventKind::kFence;
  MemoryOrder order = MemoryOrder::kRelaxed;
  MemoryOrder failure_order = MemoryOrder::kRelaxed;  // of a compare-exchange
  RmwFunction function = RmwFunction::kNone;          // kNone: a plain load, store or fence
  std::uint8_t bits = 32;                             // width of the location, 1 … 64
  bool is_signed = true;
  std::uint8_t is_weak : 1 = 0;                       // a compare-exchange that may fail spuriously …
  std::uint8_t needs_rival : 1 = 0;                   // … but only if it reads what another thread wrote: a try_lock
  std::uint8_t is_try : 1 = 0;                        // … for a lock: its failure stands for turns of others that are left out (vain_locks.h)
  std::uint8_t unused : 5 = 0;                        // no padding: accesses are compared byte by byte
  Await await = Await::kNone;                         // of a load that waits
  ThreadId thread = kNoThread;
  LocationId location = kNoLocation;
  ThreadId other = kNoThread;  // of create and join; the place of one that waits for a useful value
  std::uint32_t site = 0;      // where in the source; the program knows what it means (a line, a return address …)
  Value operand = 0;           // the value stored, added, …, or desired; of create: the thread's group (symmetry.h)
  Value expected = 0;          // of a compare-exchange
};

/// The value that a location as wide as this access's holds after `value` was written.
constexpr Value converted(const Access& access, Value value) {
  if (access.bits >= 64) return value;
  const std::uint64_t mask = (std::uint64_t{1} << access.bits) - 1;
  std::uint64_t low = static_cast<std::uint64_t>(value) & mask;
  if (access.is_signed && (low >> (access.bits - 1) & 1) != 0) low |= ~mask;
  return static_cast<Value>(low);
}

/// Whether the access, having read `old`, goes on to write.
constexpr bool writes_after_reading(const Access& access, Value old) {
  switch (access.function) {
    case RmwFunction::kNone: return false;
    case RmwFunction::kCompareExchange: return old == access.expected;
    case RmwFunction::kTake: return old > 0;
    case RmwFunction::kLockShared:
    case RmwFunction::kLockRobust: return (old & 1) == 0;
    case RmwFunction::kClearOne: return old != 0;
    default: return true;
  }
}
/// Whether the access, which has an RMW function, may fail, and then has its failure order.
constexpr bool may_fail(const Access& access) {
  return (access.function >= RmwFunction::kCompareExchange && access.function <= RmwFunction::kLockShared) || access.function == RmwFunction::kLockRobust;
}

/// Whether the access may read `value`: a lock a free state only, a load that waits what it waits for.
constexpr bool fits(const Access& access, Value value) {
  switch (access.await) {
    case Await::kNone: return true;
    case Await::kApplicable: return writes_after_reading(access, value);
    case Await::kNotEqual: return (value & access.operand) != access.expected;
    case Await::kEqual: return (value & access.operand) == access.expected;
    case Await::kUseful: return true;  // Consistency::fits knows more
    case Await::kWoken: return (value & access.operand) == 0;
    case Await::kReached: return value == access.expected;
  }
  return true;
}
/// Whether the access reads whatever it can, and so may be revisited by any write.
constexpr bool is_ordinary(const Access& access) {
  return access.function != RmwFunction::kUnlock && access.await == Await::kNone;
}

/// What it writes then. (kClearOne needs more: Event::woken.)
constexpr Value value_written(const Access& access, Value old) {
  const auto a = static_cast<std::uint64_t>(old), b = static_cast<std::uint64_t>(access.operand);
  switch (access.function) {
    case RmwFunction::kAdd: return converted(access, static_cast<Value>(a + b));
    case RmwFunction::kSub: return converted(access, static_cast<Value>(a - b));
    case RmwFunction::kOr: return converted(access, static_cast<Value>(a | b));
    case RmwFunction::kAnd: return converted(access, static_cast<Value>(a & b));
    case RmwFunction::kXor: return converted(access, static_cast<Value>(a ^ b));
    case RmwFunction::kTake: return old - 1;
    case RmwFunction::kLockShared: return old + 2;
    case RmwFunction::kUnlock: return access.operand;
    case RmwFunction::kLockRobust: return old | 1;
    default: return converted(access, access.operand);
  }
}

struct Event {
  Access access;
  EventKind kind = EventKind::kFence;
  MemoryOrder order = MemoryOrder::kRelaxed;  // in force: the failure order of a compare-exchange that failed
  bool is_rmw = false;                        // the read or the write of a read-modify-write
  bool failed_spuriously = false;             // a weak compare-exchange that failed although the values were equal
  bool ends_thread = false;                   // its thread has nothing left to do
  bool blocks_thread = false;                 // its thread cannot go on: a failed assumption, a bound
  bool is_behind_all = false;                 // a write, and those of its location that came before it are forced before it
  bool has_payload = false;                   // the graph's payload of this event is set
  std::int8_t woken = -1;                     // of a notify's read: the number of the bit that it clears
  std::int16_t alike = -1;                    // of a symmetric thread: the lowest that shares this event and all before (symmetry.h)
  ThreadId thread = kNoThread;
  std::int32_t index = 0;  // place in its thread, from 0
  LocationId location = kNoLocation;
  Slot rf = kNone;         // of a read; of an RMW's write: what its read reads. kNone: promised, not yet written.
                           // Of an attempt: the write that came before it. kNone: it waits for a value
  ThreadId promised_by = kNoThread;  // load buffering: who promised the value read
  Value value = 0;         // read, written or chosen
  std::uint32_t stamp = 0; // insertion order, which a revisit keeps
  std::int32_t place_here = 0;  // of an access: among this thread's to the location
  std::uint64_t serial = 0;  // of this addition to a graph: two graphs that have it in the same slot are equal up to there

  // Links that make look-ups short. All lead to lower slots, but for `chain_tail`.
  Slot previous = kNone;               // in this thread
  Slot previous_at_location = kNone;   // any thread's last access to the location
  Slot previous_here = kNone;          // this thread's last access to the location
  Slot release_fence = kNone;          // this thread's last release fence, this event included
  Slot acquire_fence = kNone;          // likewise acquire
  Slot sc_fence = kNone;               // likewise seq_cst
  Slot previous_sc = kNone;            // this thread's last seq_cst event before this one
  std::int32_t sc_index = -1;          // of a seq_cst event: its number among them
  // Of a write. RMWs and the write they start from form a chain without gaps in modification order.
  std::int32_t ordinal = 0;            // among this thread's writes to the location
  Slot chain_head = kNone;
  Slot chain_tail = kNone;             // valid at the head
  std::int32_t chain_position = 0;
  std::int32_t mo_position = 0;        // in models with explicit modification order: from 1; the initial write has 0
  std::int32_t backward_readers = 0;   // reads that were revisited by this write
  std::uint32_t trail_mark = 0;        // where the undo log of this event begins
  Slot jump_here = kNone;              // further down than `previous_here` (ExecutionGraph::last_here_below)
};

constexpr bool is_access(const Event& event) { return event.kind == EventKind::kRead || event.kind == EventKind::kWrite; }
constexpr bool is_seq_cst(const Event& event) { return event.order == MemoryOrder::kSeqCst && event.kind <= EventKind::kFence; }

}  // namespace ordeal::model
