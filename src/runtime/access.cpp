#include "runtime/access.h"

#include <algorithm>

#include "runtime/carried_bytes.h"
#include "runtime/heap.h"
#include "runtime/lent_stack.h"
#include "runtime/loops/configuration.h"
#include "runtime/loops/speculation.h"
#include "runtime/loops/rules.h"
#include "runtime/scrub.h"
#include "runtime/sync.h"
#include "runtime/testing.h"
#include "runtime/watchdog.h"

namespace ordeal::runtime {

using engine::Operation;
using engine::OperationKind;
using model::Access, model::EventKind, model::MemoryOrder, model::RmwFunction, model::Value;

namespace {

NativeProgram& program() { return *NativeProgram::instance; }
Thread& thread() { return *NativeProgram::current; }

std::string describe(const ShadowAccess& access, std::size_t size) {
  if (access.is_free && is_stack(access.address)) return "ends";
  return access.is_free ? "frees it" : access.is_allocation ? "allocates it" : describe_access(access.is_write, access.is_atomic, size);
}

[[noreturn]] void fail_with_race(const ShadowAccess& access, const ShadowAccess& other, std::uintptr_t site) {
  Failure failure;
  failure.kind = trace::BugKind::kDataRace;
  failure.address = access.is_free ? other.address : access.address;  // what was used of that which is given back
  failure.size = access.is_free ? 1 : access.size;
  failure.site = static_cast<std::uint32_t>(site);
  failure.sides.push_back({access.thread, describe(access, failure.size), failure.address, access.stack, access.site, static_cast<int>(access.clock)});
  failure.sides.push_back({other.thread, describe(other, failure.size), failure.address, other.stack, other.site, static_cast<int>(other.clock)});
  program().fail(std::move(failure));
}

/// What tells which other accesses it can be in a race with at all (vain_turns.h).
void add_effects(ShadowAccess& access) {
  static std::uint32_t known[kMaxThreads];
  for (int t = 0; t < program().thread_count(); ++t) known[t] = effects_within(program().thread(t), thread().hb[t]);
  access.effects = static_cast<std::uint32_t>(thread().effects.size());
  access.known_effects = known;
}

ShadowAccess shadow_access(std::uintptr_t address, std::size_t size, bool is_write, bool is_atomic, base::ClockEntry clock, std::uintptr_t site) {
  const std::uint32_t stack = Stacks::is_recording && Stacks::is_recording_accesses ? program().stack_here(site) : 0;
  ShadowAccess access{address, size, is_write, is_atomic, thread().id, clock, stack, static_cast<std::uint32_t>(site), false, false, thread().unaware_of};
  access.holds = thread().spin.holds;
  if (access.unaware_of != 0) [[unlikely]] add_effects(access);
  return access;
}

/// Heap blocks must be live. If nothing orders the access behind the free, it is a race, as it is the other way round.
void check_memory(std::uintptr_t address, std::size_t size, bool is_write, bool is_atomic, std::uintptr_t site) {
  if (is_stack(address)) check_stack(address, size, is_write, site);
  if (!is_heap(address)) return;
  const std::uintptr_t dead = ProgramHeap::first_not_live(address, size);
  if (dead == 0) return;
  if (ProgramHeap::state(dead) != ProgramHeap::State::kFreed) fail_on_memory(trace::BugKind::kOutOfBounds, address, size, is_write, site);
  const ShadowAccess access = shadow_access(address, size, is_write, is_atomic, thread().hb[thread().id], site);
  Shadow::Result result;
  Shadow::note(access, thread().hb, result);
  if (result.races) fail_with_race(access, Shadow::rival(), site);
  fail_on_memory(trace::BugKind::kUseAfterFree, address, size, is_write, site);
}

/// Memory that another thread allocated must be there before anybody uses it.
void check_allocation(const ShadowAccess& access, std::uintptr_t site) {
  const int owner = ProgramHeap::owner(access.address);
  if (owner == access.thread || ProgramHeap::all_allocated_before(owner, thread().hb[owner])) return;
  const Block block = ProgramHeap::find(access.address);
  if (block.address == 0 || thread().hb[owner] > block.clock) return;
  if (Annotations::is_ignored(access.site, block.origin.site, access.address, access.size)) return;
  ShadowAccess allocation{access.address, access.size, true, false, owner, block.clock, block.allocated};
  allocation.is_allocation = true;
  fail_with_race(access, allocation, site);
}

Shadow::Result note(const ShadowAccess& access, std::uintptr_t site) {
  Shadow::Result result;
  Shadow::note(access, thread().hb, result);
  if (result.races) [[unlikely]] fail_with_race(access, Shadow::rival(), site);
  if (result.met_vain_turn) program().vain_turns().look_for_races();
  program().waiting_places().note_access(thread(), {access.address, access.size, access.is_write, access.is_atomic});
  program().own_flags().note_access(thread(), {access.address, access.size, access.is_write, access.is_atomic});
  if (!thread().is_alone) program().stopped_turns().note_access({access.address, access.size, access.is_write, access.is_atomic});
  if (is_heap(access.address)) check_allocation(access, site);
  if (program().symmetry().is_on()) [[unlikely]] program().symmetry().note_access(thread(), access.address, access.size, access.is_write);
  return result;
}

Shadow::Result note(std::uintptr_t address, std::size_t size, bool is_write, bool is_atomic, base::ClockEntry clock, std::uintptr_t site) {
  return note(shadow_access(address, size, is_write, is_atomic, clock, site), site);
}

/// Of an atomic operation that is in the graph now: its event is the thread's last.
void note_atomic(const Cell& cell, bool is_write) {
  note(cell.address, cell.size, is_write, true, thread().hb[thread().id] - 1, cell.site);
}

const engine::Result& perform(OperationKind kind, const Access& access, std::uintptr_t site) {
  Operation& operation = thread().operation;
  if (&operation.access != &access) operation.access = access;
  operation.kind = kind;
  operation.cut = engine::Cut::kNothing;
  operation.written = access.order;
  operation.alternatives = 0;
  return program().perform(site);
}

Access& access_of(const Cell& cell, EventKind kind, MemoryOrder order) {
  flush_pending_write();
  check_memory(cell.address, cell.size, kind == EventKind::kWrite, true, cell.site);
  Access& access = plain_access_of(cell, kind, order);
  if (program().location_table().has_overlaps(access.location)) [[unlikely]] {
    carry_over_sizes(cell, kind == EventKind::kWrite);
    plain_access_of(cell, kind, order);
  }
  if (program().waiting_places().has_objects()) program().waiting_places().note_value(cell.address, program().initial_value(access.location));
  return access;
}

void check_initialised(const Access& access, const Cell& cell, const engine::Result& result) {
  if (!result.is_initial || !program().location_table()[access.location].is_uninitialised) return;
  fail_on_memory(trace::BugKind::kUninitialisedLoad, cell.address, cell.size, false, cell.site, {}, static_cast<int>(thread().hb[thread().id]) - 1);
}

std::uintptr_t name_of(const Cell& cell) { return cell.address | static_cast<std::uintptr_t>(cell.size) << 56; }

Value seen(const Cell& cell, Value value, bool failed_spuriously = false, bool could_have_failed = false) {
  program().waiting_places().note_value(cell.address, value);
  const engine::Result& result = thread().result;
  end_step(thread(), cell.address, {{static_cast<std::uint64_t>(value), result.succeeded}, result.source, failed_spuriously, could_have_failed});
  thread().seen_cell = name_of(cell);
  return thread().seen_value = value;
}

/// The thread's last event is a write that matters.
void note_atomic_write(const Cell& cell, trace::KeptBy what, Value before) {
  note_written(thread(), what);
  note_change(thread(), cell.address, cell.size, static_cast<std::uint64_t>(before));
}

/// If values are known to be useless where the thread stands (waiting_places.h), the operation waits for another.
OperationKind waits_if_it_should(OperationKind kind, Access& access) {
  const int place = std::exchange(thread().spin.place, -1);
  if (place < 0 || (access.is_weak && !program().waiting_places().fails_in_vain(place))) return kind;
  access.is_weak = 0;
  access.await = model::Await::kUseful;
  access.other = model::ThreadId{place};
  return OperationKind::kAwait;
}

}  // namespace

void fail_on_memory(trace::BugKind kind, std::uintptr_t address, std::size_t size, bool is_write, std::uintptr_t site, std::string message, int clock) {
  Failure failure;
  failure.kind = kind;
  failure.message = std::move(message);
  failure.address = address;
  failure.size = size;
  failure.site = static_cast<std::uint32_t>(site);
  failure.sides.push_back({thread().id, describe_access(is_write, false, size), address, program().stack_here(site), failure.site, clock});
  program().fail(std::move(failure));
}

Access& plain_access_of(const Cell& cell, EventKind kind, MemoryOrder order) {
  Access& access = thread().operation.access;
  access = Access{};
  access.kind = kind;
  access.order = order;
  access.bits = static_cast<std::uint8_t>(cell.size == 16 ? 64 : cell.size * 8);
  access.is_signed = false;
  access.location = program().location_table().at(cell.address, cell.size, LocationSort::kMemory);
  return access;
}

std::string describe_access(bool is_write, bool is_atomic, std::size_t size) {
  return std::string(is_atomic ? "atomically " : "") + (is_write ? "writes " : "reads ") + std::to_string(size) + (size == 1 ? " byte" : " bytes");
}

MemoryOrder memory_order_of(int order) {
  constexpr MemoryOrder kOrders[] = {MemoryOrder::kRelaxed, MemoryOrder::kAcquire, MemoryOrder::kAcquire,
                                     MemoryOrder::kRelease, MemoryOrder::kAcqRel,  MemoryOrder::kSeqCst};
  const int plain = order & 0xFF;  // the compiler may set further bits
  return plain >= 0 && plain <= 5 ? kOrders[plain] : MemoryOrder::kSeqCst;
}

Value atomic_load(const Cell& cell, MemoryOrder order) {
  if (is_testing) return Testing::load(cell, order);
  Access& access = access_of(cell, EventKind::kRead, order);
  const engine::Result& result = perform(waits_if_it_should(OperationKind::kLoad, access), access, cell.site);
  note_atomic(cell, false);
  check_initialised(access, cell, result);
  return seen(cell, result.value);
}

Value atomic_await(const Cell& cell, Value old, MemoryOrder order) {
  if (is_testing) return Testing::await(cell, old, order);
  Access& access = access_of(cell, EventKind::kRead, order);
  access.await = model::Await::kNotEqual;
  access.operand = cell.size >= 8 ? Value{-1} : (Value{1} << cell.size * 8) - 1;
  access.expected = old;
  const engine::Result& result = perform(OperationKind::kAwait, access, cell.site);
  note_atomic(cell, false);
  check_initialised(access, cell, result);
  return seen(cell, result.value);
}

Value last_seen(const Cell& cell) {
  if (is_testing) return Testing::last_seen(cell);
  if (program().given_back().are_there()) program().given_back().give_up(cell.address);  // what an RMW read is looked at later than it seems
  if (thread().seen_cell == name_of(cell)) return thread().seen_value;
  return atomic_load(cell, MemoryOrder::kRelaxed);
}

void atomic_store(const Cell& cell, Value value, MemoryOrder order) {
  if (is_testing) return Testing::store(cell, value, order);
  Access& access = access_of(cell, EventKind::kWrite, order);
  access.operand = value;
  perform(OperationKind::kStore, access, cell.site);
  program().waiting_places().note_value(cell.address, value);
  note_atomic(cell, true);
  const Value before = std::as_const(program().location_table())[access.location].held;
  if (program().own_flags().is_own_write(thread(), cell.address, cell.size)) [[unlikely]] {
    note_own_write(thread(), cell.address, cell.size);
    program().repeated_stores().put_written(thread(), access.location, value);
  } else if (program().repeated_stores().put_stored(thread(), access.location, value, order)) note_repetition(thread());
  else note_atomic_write(cell, trace::KeptBy::kStore, before);
}

Value atomic_rmw(const Cell& cell, RmwFunction function, Value operand, MemoryOrder order) {
  if (is_testing) return Testing::rmw(cell, function, operand, order);
  Access& access = access_of(cell, EventKind::kRead, order);
  access.function = function;
  access.operand = operand;
  const engine::Result& result = perform(waits_if_it_should(OperationKind::kRmw, access), access, cell.site);
  note_atomic(cell, true);
  check_initialised(access, cell, result);
  const Value written = model::value_written(access, result.value);
  if (program().own_flags().is_own_write(thread(), cell.address, cell.size)) [[unlikely]] note_own_write(thread(), cell.address, cell.size);
  else note_rmw(cell, access, result.value);  // what is only written back changes nothing
  program().repeated_stores().put_written(thread(), access.location, written);
  program().waiting_places().note_value(cell.address, written);
  return seen(cell, result.value);
}

bool atomic_compare_exchange(const Cell& cell, CompareExchange& exchange) {
  if (is_testing) return Testing::compare_exchange(cell, exchange);
  Access& access = access_of(cell, EventKind::kRead, exchange.order);
  access.function = RmwFunction::kCompareExchange;
  access.failure_order = exchange.failure_order;
  access.operand = exchange.desired;
  access.expected = exchange.expected;
  access.is_weak = exchange.is_weak && explore_spurious && !fails_in_vain(thread());
  const engine::Result& result = perform(waits_if_it_should(OperationKind::kRmw, access), access, cell.site);
  note_atomic(cell, result.succeeded);
  check_initialised(access, cell, result);
  if (result.succeeded && program().own_flags().is_own_write(thread(), cell.address, cell.size)) [[unlikely]] note_own_write(thread(), cell.address, cell.size);
  else if (result.succeeded && exchange.desired != exchange.expected) note_atomic_write(cell, trace::KeptBy::kCompareExchange, result.value);
  else if (result.succeeded) note_release(thread(), cell.site);
  if (result.succeeded) {
    program().repeated_stores().put_written(thread(), access.location, exchange.desired);
    program().waiting_places().note_value(cell.address, exchange.desired);
  }
  exchange.expected = seen(cell, result.value, !result.succeeded && result.value == access.expected, result.succeeded && access.is_weak);
  return result.succeeded;
}

void atomic_fence(MemoryOrder order, std::uintptr_t site) {
  if (is_testing) return Testing::fence(order, site);
  flush_pending_write();
  if (order == MemoryOrder::kRelaxed) return;
  Access access;
  access.kind = EventKind::kFence;
  access.order = order;
  perform(OperationKind::kFence, access, site);
}

// --- plain accesses --------------------------------------------------------------------------------------------------------

namespace {

bool is_own_stack(std::uintptr_t address) {
  return is_stack(address) && (address - kStackBase) / kStackStride == static_cast<std::size_t>(thread().id);
}

/// Writes too: compilers leave out the read before one.
void note_look(std::uintptr_t address, std::size_t size, bool is_write) {
  if (!thread().spin.collects) return;
  if (is_own_stack(address) && program().own_stacks().rely_on(thread().id)) return;
  LoopTrace& spin = thread().spin;
  if (spin.looked_at_count >= TracePosition::kMostLooks || !is_sure_to_be_there(thread(), address)) spin.looked_at_count = TracePosition::kMostLooks + 1;
  else spin.looked_at[spin.looked_at_count++] = {address, size, is_write};
}

/// A thread that is alone races with nobody, then or later.
bool may_race() { return !thread().is_alone || thread().unaware_of != 0 || program().symmetry().is_on(); }

/// What comes first at a plain access. True: that is all. A variable of a thread that is alone, where nothing is atomic, matters to nobody else.
bool begin_plain(std::uintptr_t address, std::size_t size, bool is_write) {
  note_look(address, size, is_write);
  flush_pending_write();
  thread().last_plain = thread().hb[thread().id];
  if (!is_own_stack(address) || thread().lent.begin != 0) {
    thread().last_shared = thread().last_plain;
    ++thread().shared_accesses;
  }
  return thread().is_alone && is_own_stack(address) && !may_race() && !program().location_table().has_on_stack(thread().id);
}

__attribute__((noinline)) void enter(PendingWrite write) {
  carry_over(write.address, write.size, write.site);
}

/// … but whether memory of the heap was written is asked elsewhere, too.
bool is_of_interest(std::uintptr_t address, std::size_t size, bool is_write) {
  return may_race() || (is_write && is_heap(address)) || Shadow::may_have_atomic(address, size);
}

}  // namespace

namespace {

__attribute__((noinline)) void look_at_read(std::uintptr_t address, std::size_t size, std::uintptr_t site) {
  if (!note(address, size, false, false, thread().hb[thread().id], site).met_atomic_write) return;
  settle_for_read(address, size, site);
}

__attribute__((noinline)) void look_at_write(std::uintptr_t address, std::size_t size, std::uintptr_t site) {
  if (!note(address, size, true, false, thread().hb[thread().id], site).met_atomic) return;
  settle_for_write(address, size, site);
  thread().pending = {address, size, site};
}

}  // namespace

/// It is an event iff an atomic write happens before it (then which one it reads may be a choice). Any other atomic write
/// would be in a race with it, so this does not depend on the interleaving.
void plain_read(std::uintptr_t address, std::size_t size, std::uintptr_t site) {
  if (is_testing) return Testing::read(address, size, site);
  if (size == 0 || begin_plain(address, size, false)) return;
  check_memory(address, size, false, false, site);
  if (!is_of_interest(address, size, false)) return;
  look_at_read(address, size, site);
  scrub_after_plain_access();
}

/// It is an event iff an atomic access happens before it; otherwise it is part of the initialisation.
void plain_write(std::uintptr_t address, std::size_t size, std::uintptr_t site) {
  if (is_testing) return Testing::write(address, size, site);
  if (size == 0 || begin_plain(address, size, true)) return;
  check_memory(address, size, true, false, site);
  if (!is_own_stack(address)) note_plain_write(thread(), address, size);
  if (!is_of_interest(address, size, true)) return;
  look_at_write(address, size, site);
  scrub_after_plain_access();
}

void flush_pending_write() {
  Watchdog::stop_if_wanted();
  if (is_testing) return;
  settle_plain_write(thread());
  if (thread().pending.address != 0) [[unlikely]] enter(std::exchange(thread().pending, {}));
}

void note_freed(std::uintptr_t address, std::size_t size, std::uintptr_t site) {
  if (is_testing) return Testing::note_freed(address, size, site);
  flush_pending_write();
  note_effect(thread(), trace::KeptBy::kFree, site);
  if (size == 0 || !may_race()) return;
  ShadowAccess access = shadow_access(address, size, true, false, thread().hb[thread().id], site);
  access.is_free = true;
  note(access, site);
}

// --- sync objects ------------------------------------------------------------------------------------------------------------

void require_live(const void* object, std::uintptr_t site) { check_memory(reinterpret_cast<std::uintptr_t>(object), 1, true, true, site); }
void require_live(const Cell& cell, bool is_write) { check_memory(cell.address, cell.size, is_write, true, cell.site); }
void note_use(const void* object, std::uintptr_t site) {
  if (is_testing) Testing::note_use(object, site);
  else note_atomic({reinterpret_cast<std::uintptr_t>(object), 1, site}, true);
}

void begin_release(const void* object, std::uintptr_t site) {
  if (is_testing) Testing::note_use(object, site);
}
void end_release(const void* object, std::uintptr_t site) {
  if (!is_testing) note_use(object, site);
}

Access sync_access(const void* object, LocationSort sort) {
  flush_pending_write();
  Access access;
  access.kind = EventKind::kRead;
  access.bits = 64;
  access.is_signed = false;
  access.location = program().location_table().at(reinterpret_cast<std::uintptr_t>(object), 0, sort);
  return access;
}

const engine::Result& sync_operation(OperationKind kind, const Access& access, std::uintptr_t site) {
  return perform(kind, access, site);
}

}  // namespace ordeal::runtime
