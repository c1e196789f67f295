#include "runtime/carried_bytes.h"

#include <utility>
#include <vector>

#include "runtime/layout.h"
#include "runtime/native_program.h"
#include "runtime/shadow.h"

namespace ordeal::runtime {

using engine::OperationKind;
using model::Access;
using model::EventKind;
using model::LocationId;
using model::MemoryOrder;
using model::Value;

namespace {

using Sources = Locations::Sources;

NativeProgram& program() { return *NativeProgram::instance; }
Locations& locations() { return program().location_table(); }
Thread& thread() { return *NativeProgram::current; }

LocationId location_of(const Cell& cell) { return locations().at(cell.address, cell.size, LocationSort::kMemory); }

/// Calls `visit(cell, is_inside)` for the locations that the graph knows and that share bytes with the range. Those across its ends
/// are found if they are aligned.
template <class Visit>
void for_each_known(std::uintptr_t address, std::size_t size, std::uintptr_t site, Visit&& visit) {
  const std::uintptr_t end = address + size;
  const auto is_known = [&](std::uintptr_t at, std::uint32_t bytes) { return locations().is_known(at, bytes); };
  for (const std::uint32_t bytes : {2U, 4U, 8U, 16U}) {
    const std::uintptr_t first = address / bytes * bytes, last = (end - 1) / bytes * bytes;
    if (first < address && is_known(first, bytes)) visit(Cell{first, bytes, site}, false);
    if (last != first && last + bytes > end && is_known(last, bytes)) visit(Cell{last, bytes, site}, false);
    if (last == first && first == address && first + bytes > end && is_known(first, bytes)) visit(Cell{first, bytes, site}, false);
  }
  for (std::size_t offset = 0; offset < size; ++offset)
    for (const std::uint32_t bytes : {1U, 2U, 4U, 8U, 16U})
      if (offset + bytes <= size && is_known(address + offset, bytes)) visit(Cell{address + offset, bytes, site}, true);
}

/// What a plain read of the location sees.
Value read_plainly(LocationId location, std::uintptr_t site) {
  Access& access = plain_access_of({locations()[location].address, locations()[location].size, site}, EventKind::kRead, MemoryOrder::kPlain);
  access.location = location;
  thread().spin.looked_at_count = TracePosition::kMostLooks + 1;  // what it reads is not known ahead
  return sync_operation(OperationKind::kLoad, access, site).value;
}

/// The bytes from `begin` to `end` that the location has.
void settle(const Cell& cell, std::uintptr_t begin, std::uintptr_t end) {
  locations().for_each_source_of(location_of(cell), begin, end, [&](const Locations::Source& source) {
    const Value value = read_plainly(source.location, cell.site);
    locations().put(source, value);
  });
}

void carry_over(const Cell& cell) {
  Access& access = plain_access_of(cell, EventKind::kWrite, MemoryOrder::kPlain);
  access.operand = locations().load(cell.address, cell.size);
  sync_operation(OperationKind::kStore, access, cell.site);
  program().waiting_places().note_value(cell.address, access.operand);
  program().repeated_stores().put_written(thread(), access.location, access.operand);
}

// --- atomic accesses of different sizes --------------------------------------------------------------------------------------

[[noreturn]] void refuse(const Cell& cell, bool is_write, std::vector<trace::Party> others, const char* why = "") {
  others.insert(others.begin(), {thread().id, describe_access(is_write, true, cell.size), cell.address, -1, {cell.site}});
  program().refuse(std::string("atomic accesses of different sizes to the same memory") + why, cell.site, std::move(others));
}

/// An atomic access that the thread will make next, as it waits for its result.
bool is_about_to_access(const Thread& other, std::uintptr_t address, std::size_t size) {
  const engine::Operation& operation = other.operation;
  if (&other == &thread() || other.state != Thread::State::kRunning || operation.access.order == MemoryOrder::kPlain) return false;
  if (operation.kind != OperationKind::kLoad && operation.kind != OperationKind::kStore && operation.kind != OperationKind::kRmw && operation.kind != OperationKind::kAwait)
    return false;
  const NativeLocation& location = std::as_const(locations())[operation.access.location];
  if (location.sort != LocationSort::kMemory || (location.address == address && location.size == size)) return false;
  return location.address < address + size && address < location.address + location.size;
}

/// Accesses of other sizes must happen before. One that its thread is about to make cannot: there is an execution with both, in either order.
void require_order(const Cell& cell, bool is_write) {
  const ShadowAccess other = Shadow::find_unordered_of_other_size(cell.address, cell.size, thread().id, thread().hb);
  const std::uintptr_t site = cell.site >> 32 << 32 | other.site;  // 32 bits are kept; they lie in one module, most of the time
  if (other.size != 0) refuse(cell, is_write, {{other.thread, describe_access(other.is_write, true, other.size), other.address, -1, {site}}});
  for (int t = 0; t < program().thread_count(); ++t) {
    const Thread& waits = program().thread(t);
    if (!is_about_to_access(waits, cell.address, cell.size)) continue;
    const NativeLocation& location = std::as_const(locations())[waits.operation.access.location];
    const bool writes = waits.operation.kind == OperationKind::kStore || waits.operation.access.function != model::RmwFunction::kNone;
    refuse(cell, is_write, {{t, describe_access(writes, true, location.size), location.address, -1, {waits.site}}});
  }
}

/// Memory gets the values, and the location goes on with what is there.
void begin_again(const Cell& cell, bool is_write, const Sources& sources, const Value* values) {
  const Value before = locations().load(cell.address, cell.size);
  for (const Locations::Source& source : sources) locations().put(source, *values++);
  // Another local variable may have been here before, and the compiler need not show its constructor to us.
  if (is_stack(cell.address) && locations().load(cell.address, cell.size) != before) refuse(cell, is_write, {}, ", on a stack, where several values are possible");
  if (locations().begin_again(location_of(cell), sources) == Locations::kUnknown) refuse(cell, is_write, {}, ", too many times in turn");
}

}  // namespace

void settle_for_read(std::uintptr_t address, std::size_t size, std::uintptr_t site) {
  for_each_known(address, size, site, [&](const Cell& cell, bool) { settle(cell, address, address + size); });
}

void settle_for_write(std::uintptr_t address, std::size_t size, std::uintptr_t site) {
  for_each_known(address, size, site, [&](const Cell& cell, bool is_inside) {
    if (is_inside) return;  // nothing of it stays
    for_each_known(cell.address, cell.size, site, [&](const Cell& other, bool) { settle(other, cell.address, cell.address + cell.size); });
  });
}

void carry_over(std::uintptr_t address, std::size_t size, std::uintptr_t site) {
  const std::uint64_t time = locations().time();
  for_each_known(address, size, site, [&](const Cell& cell, bool) {
    carry_over(cell);
    locations().note_overwritten(location_of(cell), time);
  });
}

void carry_over_sizes(const Cell& cell, bool is_write) {
  const LocationId location = location_of(cell);
  if (!locations().is_mixed(location)) return;
  require_order(cell, is_write);
  const bool begins = locations().must_begin_again(location);
  if (!begins && locations().has_looked(location, thread().id)) return;
  const Sources sources = begins ? locations().sources(location) : locations().begun_with(location);
  if (!begins && sources.size() == 0) return;
  Value values[16];
  Value* next = values;
  for (const Locations::Source& source : sources) *next++ = read_plainly(source.location, cell.site);
  require_order(cell, is_write);  // others may have run
  if (locations().must_begin_again(location_of(cell))) begin_again(cell, is_write, sources, values);
  locations().note_look(location_of(cell), thread().id);
}

}  // namespace ordeal::runtime
