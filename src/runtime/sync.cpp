#include "runtime/sync.h"

#include <utility>
#include <vector>

#include "runtime/access.h"
#include "runtime/spin.h"
#include "runtime/sync_operations.h"

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
  access.is_weak = explore_spurious && fails == TryFails::kSpuriously;
  access.needs_rival = access.is_weak && !program().vain_locks().may_be_held(*NativeProgram::current, state_of(object, sort));
  if (fails == TryFails::kIfHeld) program().vain_turns().note_try(self());
  return sync_operation(OperationKind::kRmw, access, site).succeeded;
}

void unlock_as(LocationSort sort, const void* object, std::uintptr_t site, MemoryOrder order) {
  state_of(object, sort).holder = -1;
  note_hold(*NativeProgram::current, object, -1);
  Access access = rmw_on(object, sort, RmwFunction::kUnlock, 0);
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

model::Value set_waiting(const void* condition, model::Value bit, bool waits, std::uintptr_t site, MemoryOrder order) {
  Access access = waits ? rmw_on(condition, LocationSort::kCondition, RmwFunction::kOr, bit)
                              : rmw_on(condition, LocationSort::kCondition, RmwFunction::kAnd, ~bit);
  access.order = order;
  note_hold(*NativeProgram::current, condition, waits ? 1 : -1);
  return sync_operation(OperationKind::kRmw, access, site).value;
}

model::Value own_bit(std::uintptr_t site) {
  if (self() >= 63) program().refuse("a condition variable used by more than 63 threads", site);
  return model::Value{1} << self();
}

bool await_wake_up(const void* condition, model::Value bit, std::uintptr_t site) {
  Access access = sync_access(condition, LocationSort::kCondition);
  access.order = MemoryOrder::kRelaxed;
  access.await = model::Await::kWoken;
  access.operand = bit;
  access.expected = 0;
  const bool was_woken = sync_operation(OperationKind::kAwait, access, site).succeeded;
  note_hold(*NativeProgram::current, condition, -1);
  note_effect(*NativeProgram::current);
  return was_woken;
}

void note_held_by_self(const void* object, LocationSort sort) {
  note_hold(*NativeProgram::current, object, 1);
  NativeLocation& state = state_of(object, sort);
  state.holder = self();
  program().vain_locks().note_lock(*NativeProgram::current, state);
}

int holder(const void* object) { return state_of(object, LocationSort::kMutex).holder; }

bool lock(const void* object, std::uintptr_t site) {
  if (!wait_for_turn(object, LocationSort::kMutex, RmwFunction::kCompareExchange, site)) return false;
  note_held_by_self(object, LocationSort::kMutex);
  return true;
}
bool try_lock(const void* object, std::uintptr_t site, TryFails fails) {
  if (!try_turn(object, LocationSort::kMutex, RmwFunction::kCompareExchange, fails, site)) return false;
  note_held_by_self(object, LocationSort::kMutex);
  return true;
}
void unlock(const void* object, std::uintptr_t site) { unlock_as(LocationSort::kMutex, object, site); }

void begin_step(const void* object, std::uintptr_t site) {
  wait_for_turn(object, LocationSort::kMutex, RmwFunction::kCompareExchange, site, MemoryOrder::kRelaxed);
  note_hold(*NativeProgram::current, object, 1);
}
void end_step(const void* object, std::uintptr_t site) { unlock_as(LocationSort::kMutex, object, site, MemoryOrder::kRelaxed); }

bool gives_up_waiting(const void* condition, model::Value bit, std::uintptr_t site) {
  if ((set_waiting(condition, bit, false, site) & bit) != 0) return true;
  if (program().explores_all()) program().stop(engine::Cut::kRedundant);
  note_effect(*NativeProgram::current);
  return false;
}

void wait(const void* condition, const void* mutex, std::uintptr_t site) {
  const model::Value bit = own_bit(site);
  set_waiting(condition, bit, true, site);
  unlock(mutex, site);
  Thread& thread = *NativeProgram::current;
  if (explore_spurious && thread.spurious_wake_ups == 0 && choose(2, site) == 1) {
    ++thread.spurious_wake_ups;
    note_effect(thread);
    gives_up_waiting(condition, bit, site);
  } else {
    await_wake_up(condition, bit, site);
  }
  lock(mutex, site);
}

bool wait_timed(const void* condition, const void* mutex, std::uintptr_t site) {
  const model::Value bit = own_bit(site);
  set_waiting(condition, bit, true, site);
  unlock(mutex, site);
  bool timed_out = choose(2, site) == 1;
  if (timed_out) {
    timed_out = gives_up_waiting(condition, bit, site);
  } else {
    NativeProgram::current->waits_with_time_limit = true;
    const bool was_woken = await_wake_up(condition, bit, site);
    NativeProgram::current->waits_with_time_limit = false;
    if (!was_woken) timed_out = gives_up_waiting(condition, bit, site);
  }
  lock(mutex, site);
  return !timed_out;
}

void notify_one(const void* condition, std::uintptr_t site) {
  note_effect(*NativeProgram::current);
  sync_operation(OperationKind::kNotify, rmw_on(condition, LocationSort::kCondition, RmwFunction::kClearOne, 0), site);
}
void notify_all(const void* condition, std::uintptr_t site) {
  note_effect(*NativeProgram::current);
  sync_operation(OperationKind::kRmw, rmw_on(condition, LocationSort::kCondition, RmwFunction::kExchange, 0), site);
}

unsigned choose(unsigned alternatives, std::uintptr_t site, bool is_programs) {
  flush_pending_write();
  NativeProgram::current->spin.looked_at_count = SpinPosition::kMostLooks + 1;  // where this leads to is not known ahead
  Operation operation;
  operation.kind = OperationKind::kChoose;
  operation.alternatives = alternatives;
  operation.access.kind = model::EventKind::kChoice;
  operation.access.operand = is_programs ? 1 : 0;
  return static_cast<unsigned>(program().perform(operation, site).value);
}

}  // namespace ordeal::runtime
