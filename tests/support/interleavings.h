// Every class of a program under `sc` by running it: all interleavings, each step on a memory that holds one value a
// location. It shares nothing with the model, the search or replay: no graph, no axioms, no events but their names.
//
// What was written where, in order, and what each read got, is written down as text; `class_text` writes down the same of an
// execution graph. Two beginnings with the same text go on in the same way, so none is looked at twice.
#pragma once

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "engine/observer.h"
#include "engine/program.h"
#include "tests/support/sync_recipe.h"

namespace ordeal::tests {

class Interleavings {
 public:
  explicit Interleavings(engine::Program& program) : program_(program) {}

  void run() {
    State state;
    state.threads.resize(static_cast<std::size_t>(program_.initial_threads()));
    for (Thread& thread : state.threads) thread.has_started = true;
    for (int l = 0; l < program_.locations(); ++l)
      state.memory.push_back({{"init", program_.initial_value(engine::LocationId{l})}});
    visit(state);
  }
  std::set<std::string> complete, blocked;

 private:
  using Operation = engine::Operation;
  using OperationKind = engine::OperationKind;
  using Value = model::Value;
  struct Write {
    std::string name;
    Value value;
  };
  struct Thread {
    std::string text;
    int events = 0;
    bool has_started = false;
  };
  struct State {
    std::vector<Thread> threads;
    std::vector<std::vector<Write>> memory;                        // location → its writes, in order
    std::vector<std::pair<engine::ThreadId, engine::Result>> history;
  };

  static std::string text_of(const State& state) {
    std::string text;
    for (const Thread& thread : state.threads) text += thread.text + "|";
    return text;
  }

  void visit(const State& state) {
    const std::string text = text_of(state);
    if (!seen_.insert(text).second) return;
    program_.begin();
    for (const auto& [thread, result] : state.history) {
      program_.next(thread);
      program_.resume(thread, result);
    }
    std::vector<Operation> operations;
    std::vector<char> has_ended;
    for (std::size_t t = 0; t < state.threads.size(); ++t) {
      has_ended.push_back(0);
      if (!state.threads[t].has_started) continue;
      operations.push_back(program_.next(engine::ThreadId{static_cast<std::int32_t>(t)}));
      has_ended.back() = operations.back().kind == OperationKind::kFinish;
    }
    bool moved = false, is_complete = true;
    for (const Operation& operation : operations) {
      if (operation.kind == OperationKind::kFinish) continue;
      is_complete = false;
      if (operation.kind == OperationKind::kBlock) continue;
      const auto other = static_cast<std::size_t>(number(operation.access.other));
      if (operation.kind == OperationKind::kJoin && has_ended.at(other) == 0) continue;
      moved |= step(state, operation);
    }
    if (!moved) (is_complete ? complete : blocked).insert(text);
  }

  /// False: it must wait.
  bool step(const State& state, const Operation& operation) {
    const model::Access& access = operation.access;
    if (access.location == model::kNoLocation) {
      State next = state;
      if (operation.kind == OperationKind::kCreate) {
        const auto child = static_cast<std::size_t>(number(access.other));
        if (next.threads.size() <= child) next.threads.resize(child + 1);
        next.threads[child].has_started = true;
      }
      add(next, access.thread, "other");
      finish(next, access.thread, {});
      return true;
    }
    const std::vector<Write>& writes = state.memory[static_cast<std::size_t>(number(access.location))];
    const Value value = writes.back().value;
    switch (operation.kind) {
      case OperationKind::kLoad: return read(state, operation, writes.back()), true;
      case OperationKind::kStore: return write(state, operation, access.operand, {}), true;
      case OperationKind::kLock:
        if (access.function == model::RmwFunction::kTake) return value > 0 && (rmw(state, operation, value - 1), true);
        if (access.function == model::RmwFunction::kLockShared) return value % 2 == 0 && (rmw(state, operation, value + 2), true);
        if (access.function == model::RmwFunction::kLockRobust) return value % 2 == 0 && (rmw(state, operation, value + 1), true);
        return value == 0 && (rmw(state, operation, 1), true);
      case OperationKind::kUnlock: return rmw(state, operation, access.operand), true;
      case OperationKind::kNotify:
        if (value == 0) read(state, operation, writes.back());
        for (int bit = 0; bit < 63; ++bit)
          if ((value >> bit & 1) != 0) rmw(state, operation, value & ~(Value{1} << bit));
        return true;
      case OperationKind::kAwait: return await(state, operation, writes);
      default: break;
    }
    using model::RmwFunction;
    if (access.function == RmwFunction::kCompareExchange && value != access.expected) read(state, operation, writes.back());
    else if (access.function == RmwFunction::kTake) value > 0 ? rmw(state, operation, value - 1) : read(state, operation, writes.back());
    else if (access.function == RmwFunction::kLockShared) value % 2 == 0 ? rmw(state, operation, value + 2) : read(state, operation, writes.back());
    else if (access.function == RmwFunction::kLockRobust) value % 2 == 0 ? rmw(state, operation, value + 1) : read(state, operation, writes.back());
    else if (access.function == RmwFunction::kSub) rmw(state, operation, value - access.operand);
    else if (access.function == RmwFunction::kAdd) rmw(state, operation, value + access.operand);
    else if (access.function == RmwFunction::kOr) rmw(state, operation, value | access.operand);
    else rmw(state, operation, access.operand);
    return true;
  }

  bool await(const State& state, const Operation& operation, const std::vector<Write>& writes) {
    if (operation.access.await == model::Await::kUseful) {
      if (useless_values().contains(number(operation.access.other), writes.back().value)) return false;
      if (model::writes_after_reading(operation.access, writes.back().value)) rmw(state, operation, operation.access.operand);
      else read(state, operation, writes.back());
      return true;
    }
    if (operation.access.await == model::Await::kReached) {
      for (std::size_t i = 1; i < writes.size(); ++i)
        if (writes[i].value == operation.access.expected) return wake(state, operation, writes[i]);
      return false;
    }
    const Value mask = operation.access.operand, bits = writes.back().value & mask;
    if (operation.access.await != model::Await::kWoken) {
      if ((bits == operation.access.expected) != (operation.access.await == model::Await::kEqual)) return false;
      read(state, operation, writes.back());
      return true;
    }
    if (bits != 0) return false;
    std::size_t last = writes.size() - 1;  // the write that cleared the bit
    while ((writes[last - 1].value & mask) == 0) --last;
    return wake(state, operation, writes[last]);
  }
  bool wake(const State& state, const Operation& operation, const Write& waker) {
    State next = state;
    add(next, operation.access.thread, "wake " + waker.name);
    finish(next, operation.access.thread, {});
    return true;
  }

  static std::string add(State& state, engine::ThreadId id, const std::string& text) {
    Thread& thread = state.threads[static_cast<std::size_t>(number(id))];
    thread.text += text + ";";
    return std::to_string(number(id)) + "." + std::to_string(thread.events++);
  }
  void read(const State& state, const Operation& operation, const Write& source) {
    State next = state;
    add(next, operation.access.thread, "read " + source.name);
    using model::RmwFunction;
    const RmwFunction function = operation.access.function;
    const bool failed = function == RmwFunction::kCompareExchange || function == RmwFunction::kTake || function == RmwFunction::kLockShared || function == RmwFunction::kLockRobust;
    finish(next, operation.access.thread, {source.value, !failed});
  }
  void rmw(const State& state, const Operation& operation, Value value) {
    State next = state;
    const Write& source = state.memory[static_cast<std::size_t>(number(operation.access.location))].back();
    add(next, operation.access.thread, "read " + source.name);
    write(next, operation, value, {source.value, true});
  }
  void write(const State& state, const Operation& operation, Value value, engine::Result result) {
    State next = state;
    std::vector<Write>& writes = next.memory[static_cast<std::size_t>(number(operation.access.location))];
    const std::string text = "write " + std::to_string(value) + " at " + std::to_string(writes.size());
    writes.push_back({add(next, operation.access.thread, text), value});
    finish(next, operation.access.thread, result);
  }
  void finish(State& next, engine::ThreadId thread, engine::Result result) {
    next.history.emplace_back(thread, result);
    visit(next);
  }

  engine::Program& program_;
  std::set<std::string> seen_;
};

/// The same of an execution under `sc`.
inline std::string class_text(const model::ExecutionGraph& graph) {
  const auto name = [&](model::Slot slot) {
    if (number(slot) < 0) return std::string("init");
    return std::to_string(number(graph.event(slot).thread)) + "." + std::to_string(graph.place_in_class(slot));
  };
  std::vector<std::string> threads(static_cast<std::size_t>(graph.threads()));
  for (int i = 0; i < graph.size(); ++i) {
    const model::Event& event = graph.event(model::Slot{i});
    std::string& text = threads[static_cast<std::size_t>(number(event.thread))];
    switch (event.kind) {
      case model::EventKind::kAttempt: break;
      case model::EventKind::kRead: text += "read " + name(event.rf) + ";"; break;
      case model::EventKind::kWake: text += "wake " + name(event.rf) + ";"; break;
      case model::EventKind::kWrite:
        text += "write " + std::to_string(event.value) + " at " + std::to_string(event.mo_position) + ";";
        break;
      default: text += "other;";
    }
  }
  std::string all;
  for (const std::string& text : threads) all += text + "|";
  return all;
}

}  // namespace ordeal::tests
