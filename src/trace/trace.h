// A trace: one execution as data, on its own, with names. The contract between the tested process, the command line,
// reports and replay. format.h writes and reads it; the version there changes when this struct does.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/choice.h"
#include "engine/observer.h"
#include "model/execution_graph.h"

namespace ordeal::trace {

/// The name of an event: thread and place in it. An initial write has thread -1 and its location as index.
struct EventName {
  std::int32_t thread = -1;
  std::int32_t index = -1;
  bool operator==(const EventName&) const = default;
};

/// A return address in the tested process, as loaded: one behind the call. 0: unknown.
using CodeAddress = std::uint64_t;

struct TraceEvent {
  EventName name;
  model::EventKind kind = model::EventKind::kFence;
  model::MemoryOrder order = model::MemoryOrder::kRelaxed;
  bool is_rmw = false;
  bool failed_spuriously = false;
  std::int32_t location = -1;
  model::Value value = 0;
  EventName rf;                      // of a read; of a wake: the write that woke the thread
  std::int32_t mo_position = 0;      // models with explicit mo
  std::uint32_t inserted = 0;        // place in insertion order, from 0
  std::uint32_t line = 0;            // in the source, 0: unknown (litmus tests)
  std::vector<CodeAddress> stack;    // native programs: where, innermost first
  std::int32_t other = -1;           // of create and join: the thread; -1: unknown
  std::int32_t woken = -1;           // of a notify's read: the bit that it clears, -1: none
  model::ChoiceOf about = model::ChoiceOf::kProgram;  // of a choice
  std::optional<model::Value> expected;  // of a compare-exchange's read: what it compares with. None: it is no such, or it is not known
  model::MemoryOrder otherwise = model::MemoryOrder::kRelaxed;  // … its order, had it not failed but succeeded, or the other way round
  bool is_weak = false;              // … it may fail although the values are equal
  bool operator==(const TraceEvent&) const = default;
};

/// What the runtime keeps for a mutex is 0 or how often it is locked (of a robust one bit 0: it is; the rest: how it was left), for a condition variable a bit for each thread that waits; for a
/// read-write lock 1 for a writer and 2 for each reader, for a semaphore what it has, for a barrier how many have arrived.
/// kFiles: no memory, but what is said through files, signals and timers; a release tells, an acquire is told.
enum class LocationSort : std::uint8_t { kMemory, kMutex, kCondition, kSharedMutex, kSemaphore, kBarrier, kFiles };

struct TraceLocation {
  std::string name;                  // empty: the address tells (native programs)
  model::Value initial = 0;
  std::uint64_t address = 0;
  std::uint32_t size = 0;            // in bytes
  LocationSort sort = LocationSort::kMemory;
  bool operator==(const TraceLocation&) const = default;
};

/// Memory that a location or a bug lies in: a heap block, a function's frame, or a module's thread-local storage. One that is
/// none of these, allocated nowhere, is the stack of its thread.
struct TraceObject {
  std::uint64_t address = 0;
  std::uint64_t size = 0;
  std::int32_t thread = -1;             // that allocated it
  std::vector<CodeAddress> allocated;   // stack, innermost first
  std::int32_t freed_by = -1;           // -1: it was not
  std::vector<CodeAddress> freed;
  CodeAddress frame = 0;     // of a frame: where its function stands. It reaches from the stack pointer to the CFA
  std::uint64_t module = 0;  // of thread-local storage: an address in the module whose variables these are
  bool operator==(const TraceObject&) const = default;
};

struct Trace {
  std::string program;
  std::string model;
  engine::Ending ending = engine::Ending::kComplete;
  std::vector<std::string> threads;
  std::vector<TraceLocation> locations;
  std::vector<TraceObject> objects;
  std::vector<TraceEvent> events;  // in an order that respects po and rf
  bool operator==(const Trace&) const = default;
};

/// What only the program knows.
class Names {
 public:
  virtual ~Names() = default;
  virtual std::string thread(model::ThreadId thread) const = 0;
  virtual std::string location(model::LocationId location) const = 0;
  virtual std::uint32_t line(const model::Event& event) const = 0;
};

/// Attempts (model/event.h) are left out here and below: they are no part of what happened.
Trace record(const engine::Execution& execution, const Names& names, std::string program, std::string model);

/// The choices that lead to this execution, in insertion order.
engine::UnitOfWork unit_of_work(const model::ExecutionGraph& graph);
engine::UnitOfWork unit_of_work(const Trace& trace);

}  // namespace ordeal::trace
