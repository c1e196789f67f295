// A program under test written as C++ functions, for tests of the engine and the search.
//
//   ScriptedProgram program;
//   const auto x = program.location();
//   program.thread([=](Steps& steps) { steps.store(x, 1); });
//   program.thread([=](Steps& steps) { if (steps.load(x) == 1) steps.note(7); });
//
// A thread is a function of the results that it got, and that is how it is run: from its start, with the results so
// far, until it asks for one more. So it may use its own variables and any control flow, but nothing outside.
#pragma once

#include <cstring>
#include <deque>
#include <functional>
#include <stdexcept>
#include <utility>
#include <vector>

#include "engine/program.h"

namespace ordeal::tests {

using engine::Cut;
using engine::LocationId;
using engine::MemoryOrder;
using engine::Operation;
using engine::OperationKind;
using engine::ThreadId;
using engine::Value;
using model::EventKind;
using model::RmwFunction;

/// What a thread can do.
class Steps {
 public:
  Steps(ThreadId self, const std::vector<engine::Result>& results) : self_(self), results_(results) {}

  Value load(LocationId location, MemoryOrder order = MemoryOrder::kRelaxed) {
    return perform(access(OperationKind::kLoad, EventKind::kRead, location, order)).value;
  }
  void store(LocationId location, Value value, MemoryOrder order = MemoryOrder::kRelaxed) {
    Operation operation = access(OperationKind::kStore, EventKind::kWrite, location, order);
    operation.access.operand = value;
    perform(operation);
  }
  Value rmw(RmwFunction function, LocationId location, Value operand, MemoryOrder order = MemoryOrder::kRelaxed) {
    Operation operation = access(OperationKind::kRmw, EventKind::kRead, location, order);
    operation.access.function = function;
    operation.access.operand = operand;
    return perform(operation).value;
  }
  Value fetch_add(LocationId location, Value operand, MemoryOrder order = MemoryOrder::kRelaxed) {
    return rmw(RmwFunction::kAdd, location, operand, order);
  }
  /// Like std::atomic: `expected` gets the value read, and the result is whether it was there. A weak one may fail
  /// anyway.
  bool compare_exchange(LocationId location, Value& expected, Value desired, bool weak = false, MemoryOrder order = MemoryOrder::kRelaxed) {
    Operation operation = access(OperationKind::kRmw, EventKind::kRead, location, order);
    operation.access.failure_order = order == MemoryOrder::kAcqRel ? MemoryOrder::kAcquire : order;
    operation.access.function = RmwFunction::kCompareExchange;
    operation.access.operand = desired;
    operation.access.expected = expected;
    operation.access.is_weak = weak;
    const engine::Result result = perform(operation);
    expected = result.value;
    return result.succeeded;
  }
  void lock(LocationId mutex) { take(OperationKind::kLock, RmwFunction::kCompareExchange, mutex); }
  void unlock(LocationId mutex) { sync(OperationKind::kUnlock, RmwFunction::kUnlock, mutex, MemoryOrder::kRelease); }
  bool try_lock(LocationId mutex) { return take(OperationKind::kRmw, RmwFunction::kCompareExchange, mutex); }
  /// That may fail without reason.
  bool try_lock_weakly(LocationId mutex) {
    Operation operation = access(OperationKind::kRmw, EventKind::kRead, mutex, MemoryOrder::kAcquire);
    operation.access.function = RmwFunction::kCompareExchange;
    operation.access.operand = 1;
    operation.access.is_weak = operation.access.is_try = 1;
    return perform(operation).succeeded;
  }
  /// A robust mutex. What it was left as is told to who takes it; -1: the try has failed.
  Value lock_robust(LocationId mutex) { return result_of_take(OperationKind::kLock, RmwFunction::kLockRobust, mutex).value; }
  Value try_lock_robust(LocationId mutex) {
    const engine::Result result = result_of_take(OperationKind::kRmw, RmwFunction::kLockRobust, mutex);
    return result.succeeded ? result.value : -1;
  }
  void unlock_robust(LocationId mutex, Value left, MemoryOrder order) { sync(OperationKind::kUnlock, RmwFunction::kUnlock, mutex, order, left); }
  /// A read-write lock; `lock` is a writer's.
  void lock_shared(LocationId lock) { take(OperationKind::kLock, RmwFunction::kLockShared, lock); }
  bool try_lock_shared(LocationId lock) { return take(OperationKind::kRmw, RmwFunction::kLockShared, lock); }
  void unlock_shared(LocationId lock) { sync(OperationKind::kRmw, RmwFunction::kSub, lock, MemoryOrder::kRelease, 2); }
  /// A semaphore.
  void take(LocationId semaphore) { take(OperationKind::kLock, RmwFunction::kTake, semaphore); }
  bool try_take(LocationId semaphore) { return take(OperationKind::kRmw, RmwFunction::kTake, semaphore); }
  void post(LocationId semaphore) { sync(OperationKind::kRmw, RmwFunction::kAdd, semaphore, MemoryOrder::kRelease, 1); }
  /// A barrier for `count` threads; the location holds how many have arrived.
  void meet(LocationId barrier, Value count) {
    const Value before = sync(OperationKind::kRmw, RmwFunction::kAdd, barrier, MemoryOrder::kAcqRel, 1);
    if (before % count != count - 1) await(model::Await::kReached, barrier, 0, (before / count + 1) * count, MemoryOrder::kAcquire);
  }
  /// Waits until the bits `mask` of the location are `expected` (kEqual), or are not (kNotEqual).
  Value await(model::Await what, LocationId location, Value mask, Value expected, MemoryOrder order = MemoryOrder::kRelaxed) {
    Operation operation = access(OperationKind::kAwait, EventKind::kRead, location, order);
    operation.access.await = what;
    operation.access.operand = mask;
    operation.access.expected = expected;
    return perform(operation).value;
  }
  /// Wait for a value that is not useless at the place: a load, or an exchange.
  Value await_useful(int place, LocationId location, MemoryOrder order) {
    Operation operation = access(OperationKind::kAwait, EventKind::kRead, location, order);
    operation.access.await = model::Await::kUseful;
    operation.access.other = ThreadId{place};
    return perform(operation).value;
  }
  Value exchange_useful(int place, LocationId location, Value value, MemoryOrder order) {
    Operation operation = access(OperationKind::kAwait, EventKind::kRead, location, order);
    operation.access.await = model::Await::kUseful;
    operation.access.other = ThreadId{place};
    operation.access.function = RmwFunction::kExchange;
    operation.access.operand = value;
    return perform(operation).value;
  }
  /// The same: a compare-exchange, which returns what it read.
  Value replace_useful(int place, LocationId location, Value expected, Value desired, MemoryOrder order) {
    Operation operation = access(OperationKind::kAwait, EventKind::kRead, location, order);
    operation.access.await = model::Await::kUseful;
    operation.access.other = ThreadId{place};
    operation.access.function = RmwFunction::kCompareExchange;
    operation.access.expected = expected;
    operation.access.operand = desired;
    return perform(operation).value;
  }
  /// The location of a condition variable is the set of those who wait: a bit for each thread.
  void wait(LocationId condition, LocationId mutex) {
    const Value own = Value{1} << number(self_);
    rmw(RmwFunction::kOr, condition, own);
    unlock(mutex);
    await(model::Await::kWoken, condition, own, 0);
    lock(mutex);
  }
  Value notify_one(LocationId condition) {
    return sync(OperationKind::kNotify, RmwFunction::kClearOne, condition, MemoryOrder::kRelaxed);
  }
  void notify_all(LocationId condition) { rmw(RmwFunction::kExchange, condition, 0); }
  void fence(MemoryOrder order) {
    perform(access(OperationKind::kFence, EventKind::kFence, model::kNoLocation, order));
  }
  /// `group`: of symmetric threads, named as model/symmetry.h says.
  void create(ThreadId thread, Value group = 0) {
    Operation operation = access(OperationKind::kCreate, EventKind::kCreate);
    operation.access.other = thread;
    operation.access.operand = group;
    perform(operation);
  }
  void join(ThreadId thread) {
    Operation operation = access(OperationKind::kJoin, EventKind::kJoin);
    operation.access.other = thread;
    perform(operation);
  }
  Value choose(std::uint32_t alternatives) {
    Operation operation = access(OperationKind::kChoose, EventKind::kChoice);
    operation.alternatives = alternatives;
    return perform(operation).value;
  }
  void note(Value payload) {
    Operation operation = access(OperationKind::kNote, EventKind::kNote);
    operation.access.operand = payload;
    perform(operation);
  }
  /// `known`: of the reads of the turn, the last one first (engine::StoppedTurn); asked for when it is needed.
  using KnownReads = std::function<std::vector<engine::StoppedTurn::Read>()>;
  [[noreturn]] void block(Cut cut, KnownReads known = {}) {
    Operation operation = access(OperationKind::kBlock, EventKind::kNote);
    operation.cut = cut;
    throw Pending{operation, std::move(known)};
  }
  void assume(bool condition) {
    if (!condition) block(Cut::kAssumption);
  }

  struct Pending {
    Operation operation;
    KnownReads known{};
  };

 private:
  Operation access(OperationKind kind, EventKind event, LocationId location = model::kNoLocation,
                   MemoryOrder order = MemoryOrder::kRelaxed) const {
    Operation operation;
    operation.kind = kind;
    operation.written = order;
    operation.access.kind = event;
    operation.access.order = order;
    operation.access.thread = self_;
    operation.access.location = location;
    operation.access.bits = 64;
    return operation;
  }
  Value sync(OperationKind kind, RmwFunction function, LocationId location, MemoryOrder order, Value operand = 0) {
    Operation operation = access(kind, EventKind::kRead, location, order);
    operation.access.function = function;
    operation.access.operand = operand;
    return perform(operation).value;
  }
  /// False: it fails, and does not wait.
  bool take(OperationKind kind, RmwFunction function, LocationId location) { return result_of_take(kind, function, location).succeeded; }
  const engine::Result& result_of_take(OperationKind kind, RmwFunction function, LocationId location) {
    Operation operation = access(kind, EventKind::kRead, location, MemoryOrder::kAcquire);
    operation.access.function = function;
    operation.access.operand = 1;
    if (kind == OperationKind::kLock) operation.access.await = model::Await::kApplicable;
    return perform(operation);
  }
  const engine::Result& perform(const Operation& operation) {
    if (next_ == results_.size()) throw Pending{operation};
    return results_[next_++];
  }

  ThreadId self_;
  const std::vector<engine::Result>& results_;
  std::size_t next_ = 0;
};

class ScriptedProgram final : public engine::Program {
 public:
  using Body = std::function<void(Steps&)>;

  /// A thread that runs from the start. REQUIRES: no created_thread yet.
  ThreadId thread(Body body) {
    ++initial_threads_;
    return created_thread(std::move(body));
  }
  /// A thread that runs when another one creates it.
  ThreadId created_thread(Body body) {
    threads_.emplace_back().body = std::move(body);
    return ThreadId{static_cast<std::int32_t>(threads_.size()) - 1};
  }
  LocationId location(Value initial = 0) {
    initial_values_.push_back(initial);
    return LocationId{static_cast<std::int32_t>(initial_values_.size()) - 1};
  }
  /// The engine hears of locations only when they come up in an operation, as with a native program.
  void hide_locations() { locations_are_hidden_ = true; }
  /// Threads ask for results that are known (engine::KnownResults), as those of a native program do.
  void ask_for_known_results() { asks_ = true; }
  /// How many they got.
  int known_results() const { return known_count_; }
  /// Checkpoints with room for so many operations of a thread. REQUIRES: all threads run from the start.
  void set_checkpoints(std::size_t operations) { room_ = operations; }

  void begin() override {
    for (std::size_t t = 0; t < threads_.size(); ++t) {
      threads_[t].results.clear();
      threads_[t].is_filled = false;
      threads_[t].is_started = t < static_cast<std::size_t>(initial_threads_);
    }
  }
  int initial_threads() const override { return initial_threads_; }
  Value initial_value(LocationId location) const override {
    return initial_values_.at(static_cast<std::size_t>(number(location)));
  }
  int locations() const override { return locations_are_hidden_ ? 0 : static_cast<int>(initial_values_.size()); }

  const Operation& next(ThreadId id) override {
    Thread& thread = at(id);
    if (!thread.is_started) throw std::logic_error("a thread was asked before it was created");
    if (thread.is_filled) return thread.operation;
    run(id, thread);
    for (engine::Result result; asks_ && known_ != nullptr && known_->next_is(id, thread.operation, result); ++known_count_) {
      if (thread.operation.kind == OperationKind::kCreate) at(thread.operation.access.other).is_started = true;
      thread.results.push_back(result);
      run(id, thread);
    }
    return thread.operation;
  }
  void set_known_results(engine::KnownResults* results) override { known_ = results; }
  void resume(ThreadId id, const engine::Result& result) override {
    const Operation operation = next(id);
    if (operation.kind == OperationKind::kFinish || operation.kind == OperationKind::kBlock)
      throw std::logic_error("a thread went on that has ended or is blocked");
    if (operation.kind == OperationKind::kCreate) at(operation.access.other).is_started = true;
    at(id).results.push_back(result);
    at(id).is_filled = false;
  }

  const engine::StoppedTurn* stopped_turn(ThreadId id) override {
    if (!at(id).known) return nullptr;
    turn_.reads.clear();
    for (auto& read : at(id).known()) turn_.reads.push_back(&reads_.emplace_back(std::move(read)));
    return &turn_;
  }

  std::size_t checkpoint_size() const override {
    return room_ == 0 ? 0 : sizeof(std::size_t) + room_ * sizeof(engine::Result);
  }
  void save(ThreadId id, std::byte* into) override {
    const auto& results = at(id).results;
    const std::size_t count = results.size();
    if (count > room_) throw std::logic_error("a checkpoint has too little room");
    std::memcpy(into, &count, sizeof count);
    if (count > 0) std::memcpy(into + sizeof count, results.data(), count * sizeof(engine::Result));
  }
  void restore(ThreadId id, const std::byte* from) override {
    std::size_t count = 0;
    std::memcpy(&count, from, sizeof count);
    at(id).results.resize(count);
    if (count > 0) std::memcpy(at(id).results.data(), from + sizeof count, count * sizeof(engine::Result));
    at(id).is_filled = false;
  }

 private:
  struct Thread {
    Body body;
    std::vector<engine::Result> results;
    Operation operation;
    Steps::KnownReads known;
    bool is_filled = false;
    bool is_started = false;
  };
  static void run(ThreadId id, Thread& thread) {
    thread.operation = Operation{};
    thread.known = {};
    try {
      Steps steps(id, thread.results);
      thread.body(steps);
    } catch (const Steps::Pending& pending) {
      thread.operation = pending.operation;
      thread.known = pending.known;
    }
    thread.operation.access.thread = id;
    thread.is_filled = true;
  }
  Thread& at(ThreadId id) { return threads_.at(static_cast<std::size_t>(number(id))); }

  std::vector<Thread> threads_;
  std::vector<Value> initial_values_;
  int initial_threads_ = 0;
  bool locations_are_hidden_ = false;
  std::size_t room_ = 0;
  bool asks_ = false;
  engine::KnownResults* known_ = nullptr;
  int known_count_ = 0;
  std::deque<engine::StoppedTurn::Read> reads_;  // which stay where they are
  engine::StoppedTurn turn_;
};

}  // namespace ordeal::tests
