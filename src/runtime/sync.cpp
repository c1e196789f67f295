#include "runtime/sync.h"

#include <algorithm>
#include <bit>
#include <utility>
#include <vector>

#include "runtime/access.h"
#include "runtime/cancellation.h"
#include "runtime/loops/rules.h"
#include "runtime/sync_operations.h"
#include "runtime/testing.h"
#include "runtime/virtual_time.h"

namespace ordeal::runtime {

using engine::Operation;
using engine::OperationKind;
using model::Access;
using model::MemoryOrder;
using model::RmwFunction;

bool explore_spurious = true;

namespace {

NativeProgram& program() { return *NativeProgram::instance; }
int self() { return NativeProgram::current->id; }
int held_by_thread[kMaxThreads];  // locks, of random testing

}  // namespace

Access rmw_on(const void* object, LocationSort sort, RmwFunction function, model::Value operand) {
  Access access = sync_access(object, sort);
  access.order = access.failure_order = MemoryOrder::kRelaxed;
  access.function = function;
  access.operand = operand;
  return access;
}

NativeLocation& state_of(const void* object, LocationSort sort) { return program().location_table()[sync_access(object, sort).location]; }

bool wait_for_turn(const void* object, LocationSort sort, RmwFunction function, std::uintptr_t site, MemoryOrder order) {
  Access access = rmw_on(object, sort, function, 1);
  access.order = order;
  access.await = model::Await::kApplicable;
  return sync_operation(OperationKind::kLock, access, site).succeeded;
}

bool try_turn(const void* object, LocationSort sort, RmwFunction function, TryFails fails, std::uintptr_t site) {
  Access access = rmw_on(object, sort, function, 1);
  access.order = MemoryOrder::kAcquire;
  access.is_weak = access.is_try = explore_spurious && fails == TryFails::kSpuriously;
  access.needs_rival = access.is_weak && !program().vain_locks().may_be_held(*NativeProgram::current, state_of(object, sort));
  if (access.is_weak == 0) program().vain_turns().note_try(*NativeProgram::current);
  return sync_operation(OperationKind::kRmw, access, site).succeeded;
}

void unlock_as(LocationSort sort, const void* object, std::uintptr_t site, MemoryOrder order, model::Value left) {
  if (int& holder = state_of(object, sort).holder; holder >= 0) {
    if (held_by_thread[holder] > 0) --held_by_thread[holder];
    holder = -1;
  }
  note_hold(*NativeProgram::current, object, -1, site);
  Access access = rmw_on(object, sort, RmwFunction::kUnlock, left);
  access.order = order;
  sync_operation(OperationKind::kUnlock, access, site);
}

void fail_with_misuse(const void* object, const char* message, std::uintptr_t site) {
  Failure failure;
  failure.kind = trace::BugKind::kLockMisuse;
  failure.message = message;
  failure.address = reinterpret_cast<std::uintptr_t>(object);
  failure.site = static_cast<std::uint32_t>(site);
  failure.sides.push_back({self(), message, failure.address, program().stack_here(site), failure.site});
  program().fail(std::move(failure));
}

namespace {

// While testing there may be more threads than bits: the waiters of a condition are several words, the first of which knows how many.
int own_word() { return self() / kThreadsOfWord; }
engine::LocationId word_of(const void* condition, int word) {
  return program().location_table().at(reinterpret_cast<std::uintptr_t>(condition), static_cast<std::uint32_t>(word), LocationSort::kCondition);
}
engine::LocationId own_word_of(const void* condition) {
  NativeLocation& first = state_of(condition, LocationSort::kCondition);
  first.depth = std::max(first.depth, own_word());
  return word_of(condition, own_word());
}
int last_word(const void* condition) { return is_testing ? state_of(condition, LocationSort::kCondition).depth : 0; }

}  // namespace

int words_of(const void* condition) { return last_word(condition) + 1; }

Access notification(const void* condition, RmwFunction function, int word) {
  Access access = rmw_on(condition, LocationSort::kCondition, function, 0);
  if (word > 0) access.location = word_of(condition, word);
  return access;
}

namespace {

/// One with waiters, each of them as likely as the others; -1: there are none.
int choose_word(const void* condition) {
  const auto waiters = [&](int word) { return static_cast<std::uint32_t>(std::popcount(static_cast<std::uint64_t>(Testing::state_of(notification(condition, RmwFunction::kOr, word))))); };
  std::uint32_t all = 0;
  for (int word = 0; word <= last_word(condition); ++word) all += waiters(word);
  if (all == 0) return -1;
  std::uint32_t chosen = Testing::who_wakes(all);
  int word = 0;
  for (; chosen >= waiters(word); ++word) chosen -= waiters(word);
  return word;
}

}  // namespace

model::Value set_waiting(const void* condition, model::Value bit, bool waits, std::uintptr_t site, MemoryOrder order) {
  Access access = rmw_on(condition, LocationSort::kCondition, waits ? RmwFunction::kOr : RmwFunction::kAnd, waits ? bit : ~bit);
  if (own_word() > 0) access.location = own_word_of(condition);
  access.order = order;
  note_hold(*NativeProgram::current, condition, waits ? 1 : -1);
  return sync_operation(OperationKind::kRmw, access, site).value;
}

model::Value own_bit(std::uintptr_t site) {
  if (self() >= kThreadsOfWord && !is_testing) program().refuse("a condition variable used by more than 63 threads", site);
  return model::Value{1} << self() % kThreadsOfWord;
}

bool await_wake_up(const void* condition, model::Value bit, std::uintptr_t site) {
  Access access = sync_access(condition, LocationSort::kCondition);
  if (own_word() > 0) access.location = own_word_of(condition);
  access.order = MemoryOrder::kRelaxed;
  access.await = model::Await::kWoken;
  access.operand = bit;
  access.expected = 0;
  const bool was_woken = sync_operation(OperationKind::kAwait, access, site).succeeded;
  note_hold(*NativeProgram::current, condition, -1, site);
  note_effect(*NativeProgram::current, trace::KeptBy::kWoken, site);
  return was_woken;
}

void note_held_by_self(const void* object, LocationSort sort) {
  note_hold(*NativeProgram::current, object, 1);
  NativeLocation& state = state_of(object, sort);
  state.holder = self();
  if (is_testing) ++held_by_thread[self()];
  program().vain_locks().note_lock(*NativeProgram::current, state);
}

namespace {

RmwFunction lock_function(const void* object) { return state_of(object, LocationSort::kMutex).is_robust ? RmwFunction::kLockRobust : RmwFunction::kCompareExchange; }

void note_mutex(const void* object) {
  note_held_by_self(object, LocationSort::kMutex);
  if (state_of(object, LocationSort::kMutex).is_robust) note_robust_held(object);
}

}  // namespace

int locks_held(int thread) { return held_by_thread[thread]; }
void forget_locks_held(int threads) { std::fill_n(held_by_thread, threads, 0); }

int holder(const void* object) { return state_of(object, LocationSort::kMutex).holder; }

bool lock(const void* object, std::uintptr_t site) {
  if (!wait_for_turn(object, LocationSort::kMutex, lock_function(object), site)) return false;
  note_mutex(object);
  return true;
}
bool try_lock(const void* object, std::uintptr_t site, TryFails fails) {
  if (!try_turn(object, LocationSort::kMutex, lock_function(object), fails, site)) return false;
  note_mutex(object);
  return true;
}
void unlock(const void* object, std::uintptr_t site) {
  if (state_of(object, LocationSort::kMutex).is_robust) unlock_robust(object, site);
  else unlock_as(LocationSort::kMutex, object, site);
}

void begin_step(const void* object, std::uintptr_t site) {
  wait_for_turn(object, LocationSort::kMutex, RmwFunction::kCompareExchange, site, MemoryOrder::kRelaxed);
  note_hold(*NativeProgram::current, object, 1);
}
void end_step(const void* object, std::uintptr_t site) { unlock_as(LocationSort::kMutex, object, site, MemoryOrder::kRelaxed); }

bool gives_up_waiting(const void* condition, model::Value bit, std::uintptr_t site) {
  if ((set_waiting(condition, bit, false, site) & bit) != 0) return true;
  if (program().explores_all()) program().stop(engine::Cut::kRedundant);
  note_effect(*NativeProgram::current, trace::KeptBy::kWoken, site);
  return false;
}

/// The thread is among the waiters, who all must have come with the same mutex, and does not hold it any more.
static model::Value begin_to_wait(const void* condition, const void* mutex, std::uintptr_t site) {
  const model::Value bit = own_bit(site);
  const model::Value others = set_waiting(condition, bit, true, site);
  note_use(condition, site);
  const auto with = static_cast<std::int32_t>(number(sync_access(mutex, LocationSort::kMutex).location));
  NativeLocation& state = state_of(condition, LocationSort::kCondition);  // a handler may run in sync_access: it comes last
  if (others != 0 && state.waits_with != with) fail_with_misuse(condition, "waits for a condition variable with another mutex than a thread that waits already", site);
  state.waits_with = with;
  unlock(mutex, site);
  return bit;
}

enum class Awaited : std::uint8_t { kWoken, kTimedOut, kCancelled };
/// Who is woken at the same time is not cancelled yet: the notification is not lost.
static Awaited await_or_be_cancelled(const void* condition, model::Value bit, std::uintptr_t site) {
  bool is_cancelled = false;
  {
    const Cancellable cancellable;
    if (await_wake_up(condition, bit, site)) return Awaited::kWoken;
    is_cancelled = cancellable.has_ended();
  }
  if (!gives_up_waiting(condition, bit, site)) return Awaited::kWoken;
  return is_cancelled ? Awaited::kCancelled : Awaited::kTimedOut;
}

void wait(const void* condition, const void* mutex, std::uintptr_t site) {
  Cancellation::point();
  const model::Value bit = begin_to_wait(condition, mutex, site);
  Thread& thread = *NativeProgram::current;
  if (explore_spurious && thread.spurious_wake_ups == 0 && choose(2, site, model::ChoiceOf::kWakeUp) == 1) {
    ++thread.spurious_wake_ups;
    note_effect(thread, trace::KeptBy::kWoken, site);
    gives_up_waiting(condition, bit, site);
  } else if (await_or_be_cancelled(condition, bit, site) == Awaited::kCancelled) {
    lock(mutex, site);
    Cancellation::leave();
  }
  lock(mutex, site);
}

static Awaited await_wake_up_until(const void* condition, model::Value bit, const timespec* deadline, std::uintptr_t site) {
  const TimeLimit limit(deadline);
  return await_or_be_cancelled(condition, bit, site);
}

bool wait_timed(const void* condition, const void* mutex, const timespec* deadline, std::uintptr_t site) {
  Cancellation::point();
  const model::Value bit = begin_to_wait(condition, mutex, site);
  if (gives_up_at_once(site)) {
    const bool timed_out = gives_up_waiting(condition, bit, site);
    lock(mutex, site);
    return !timed_out;
  }
  const Awaited awaited = await_wake_up_until(condition, bit, deadline, site);
  lock(mutex, site);
  if (awaited == Awaited::kCancelled) Cancellation::leave();
  return awaited == Awaited::kWoken;
}

bool has_waiters(const void* condition, std::uintptr_t site) {
  bool some = false;
  for (int word = last_word(condition); word >= 0; --word) {
    Access access = sync_access(condition, LocationSort::kCondition);
    access.location = word_of(condition, word);
    access.order = MemoryOrder::kAcquire;  // it finds no release: only that tells it apart in a trace
    some = sync_operation(OperationKind::kLoad, access, site).value != 0 || some;
  }
  return some;
}

void notify_one(const void* condition, std::uintptr_t site) {
  note_effect(*NativeProgram::current, trace::KeptBy::kWakeUp, site);
  if (last_word(condition) == 0) {
    sync_operation(OperationKind::kNotify, notification(condition, RmwFunction::kClearOne, 0), site);
    return;
  }
  // Others may have come first: then there may be waiters elsewhere.
  for (int word = choose_word(condition); word >= 0; word = choose_word(condition))
    if (sync_operation(OperationKind::kNotify, notification(condition, RmwFunction::kClearOne, word), site).value != 0) return;
}
void notify_all(const void* condition, std::uintptr_t site) {
  note_effect(*NativeProgram::current, trace::KeptBy::kWakeUp, site);
  for (int word = last_word(condition); word >= 0; --word) sync_operation(OperationKind::kRmw, notification(condition, RmwFunction::kExchange, word), site);
}

unsigned choose(unsigned alternatives, std::uintptr_t site, model::ChoiceOf about) {
  flush_pending_write();
  NativeProgram::current->spin.looked_at_count = TracePosition::kMostLooks + 1;  // where this leads to is not known ahead
  Operation operation;
  operation.kind = OperationKind::kChoose;
  operation.alternatives = alternatives;
  operation.access.kind = model::EventKind::kChoice;
  operation.access.operand = static_cast<model::Value>(about);
  return static_cast<unsigned>(program().perform(operation, site).value);
}

}  // namespace ordeal::runtime
