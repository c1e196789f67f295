// Accesses of the running thread: what every entry point of the ABI comes down to.
#pragma once

#include <cstdint>

#include "model/event.h"
#include "runtime/loops/speculation.h"
#include "runtime/native_program.h"

namespace ordeal::runtime {

/// True while program code runs under the engine; otherwise (start-up, the engine itself) accesses are just done.
/// What is only tried out ends here.
inline bool is_checked() {
  if (NativeProgram::current != nullptr) [[likely]] return true;
  if (Speculation::is_on()) [[unlikely]] Speculation::leave();
  return false;
}

model::MemoryOrder memory_order_of(int order);

/// Atomic accesses of 1, 2, 4, 8 or 16 bytes; values of 16 bytes are interned (locations.h).
struct Cell {
  std::uintptr_t address;
  std::uint32_t size;
  std::uintptr_t site;
};
model::Value atomic_load(const Cell& cell, model::MemoryOrder order);
void atomic_store(const Cell& cell, model::Value value, model::MemoryOrder order);
/// Returns the old value.
model::Value atomic_rmw(const Cell& cell, model::RmwFunction function, model::Value operand, model::MemoryOrder order);
struct CompareExchange {
  model::Value expected, desired;
  model::MemoryOrder order, failure_order;
  bool is_weak;
};
/// Returns whether it succeeded; `expected` becomes the value read.
bool atomic_compare_exchange(const Cell& cell, CompareExchange& exchange);
void atomic_fence(model::MemoryOrder order, std::uintptr_t site);

/// A load that waits until the value is not `old`.
model::Value atomic_await(const Cell& cell, model::Value old, model::MemoryOrder order);
/// What the thread's latest atomic operation on the cell read; if there was none, a relaxed load.
model::Value last_seen(const Cell& cell);

/// Plain accesses: to be called just before the program makes them.
void plain_read(std::uintptr_t address, std::size_t size, std::uintptr_t site);
void plain_write(std::uintptr_t address, std::size_t size, std::uintptr_t site);
/// A plain write that waits for its value (thread.h) is entered into the graph now.
void flush_pending_write();
/// Memory that is given back counts as written.
void note_freed(std::uintptr_t address, std::size_t size, std::uintptr_t site);
/// A bug with an access of the running thread.
[[noreturn]] void fail_on_memory(trace::BugKind kind, std::uintptr_t address, std::size_t size, bool is_write, std::uintptr_t site, std::string message = {},
                                 int clock = -1);

/// For carried_bytes.h: an access to a location of the graph, made where the operation wants it, so that what was just written is not copied.
model::Access& plain_access_of(const Cell& cell, model::EventKind kind, model::MemoryOrder order);
std::string describe_access(bool is_write, bool is_atomic, std::size_t size);

/// The memory of a sync object that is about to be used must be there.
void require_live(const void* object, std::uintptr_t site);
/// The same of an atomic object, all of it.
void require_live(const Cell& cell, bool is_write);
/// The thread's last event was an operation on this object: to free it meanwhile is a race.
void note_use(const void* object, std::uintptr_t site);
/// Around an operation that releases the object (unlock, post): who acquires it then may free it. What testing noted behind the operation would
/// not be ordered before that.
void begin_release(const void* object, std::uintptr_t site);
void end_release(const void* object, std::uintptr_t site);
/// An operation on a sync object (a mutex, the waiters of a condition …).
const engine::Result& sync_operation(engine::OperationKind kind, const model::Access& access, std::uintptr_t site);
model::Access sync_access(const void* object, LocationSort sort);

}  // namespace ordeal::runtime
