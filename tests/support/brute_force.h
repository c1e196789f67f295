// Every execution class of a program by trying everything: what the search must find, each class once.
//
// A *beginning* is a consistent graph that is closed under po ∪ rf. The empty one is; and every consistent class is
// reached from it event by event, because beginnings of consistent graphs are consistent. So: extend each beginning by
// each thread that can go on, with each choice it has, and keep those that the model allows; none twice. It shares the
// model with the search, but nothing of the search: no revisits, no canonical choices, no insertion order. An operation that
// waits goes on when there is something that it may read; what that is, is written down here once more.
#pragma once

#include <algorithm>
#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include "engine/session.h"
#include "explore/replay.h"
#include "explore/uniqueness.h"
#include "model/completion.h"
#include "tests/support/sync_recipe.h"

namespace ordeal::tests {

class BruteForce final : engine::Observer {
 public:
  /// REQUIRES: a program without checkpoints.
  BruteForce(engine::Program& program, model::Model model) : program_(program), model_(model) {}
  /// Classes, not beginnings, are known by other keys.
  void set_key(std::function<std::string(const model::ExecutionGraph&)> key) { key_ = std::move(key); }

  /// Of those that `run` gave, the ones in which nothing can go on, and not all have ended.
  const std::set<std::string>& blocked() const { return blocked_; }
  /// The keys of all classes, the blocked ones included.
  std::set<std::string> run() {
    open_.push_back({});
    while (!open_.empty()) {
      list_ = std::move(open_.back());
      open_.pop_back();
      visit();
    }
    return std::move(classes_);
  }

 private:
  using Operation = engine::Operation;
  using OperationKind = engine::OperationKind;
  using Choice = engine::Choice;
  using ChoiceKind = engine::ChoiceKind;
  using RmwFunction = model::RmwFunction;

  void visit() {
    explore::Replay replay(model_, list_, explore::Replay::Rest::kOpen);
    engine::Session session(program_, replay);
    session.add(*this);
    try {
      session.run();
    } catch (const explore::ReplayError& error) {
      if (std::string_view(error.what()).find("the model forbids that") == std::string_view::npos) throw;
    }
  }

  bool finished(const engine::Execution& execution) override {
    const std::string key = explore::class_key(execution.graph);
    if (!seen_.insert(key).second) return true;
    bool is_over = true, is_blocked = false;
    std::vector<Operation> operations;
    for (int t = 0; t < execution.graph.threads(); ++t) {
      const engine::ThreadId thread{t};
      if (!has_started(execution.graph, thread)) continue;
      const Operation& operation = program_.next(thread);
      if (operation.kind == OperationKind::kFinish) continue;
      is_blocked = true;
      if (operation.kind == OperationKind::kBlock) continue;
      if (operation.kind == OperationKind::kJoin && !has_ended(execution.graph, operation.access.other)) continue;
      operations.push_back(operation);
    }
    for (const Operation& operation : operations) {
      const std::size_t open = open_.size();
      extend(execution.graph, operation);
      // A load that waits may always come too late: what counts is whether it then waits for ever.
      if (open_.size() > open && !waits_for_value(operation.access)) is_over = false;
    }
    if (is_over) is_over = waits_for_ever(execution.graph, operations);
    if (is_over) classes_.insert(key_(execution.graph));
    if (is_over && is_blocked) blocked_.insert(key_(execution.graph));
    return true;
  }

  /// Whether some final memory fits none of the loads that wait.
  bool waits_for_ever(model::ExecutionGraph& graph, const std::vector<Operation>& waiting) {
    std::vector<model::LocationId> locations;
    for (int l = 0; l < graph.locations(); ++l) locations.push_back(model::LocationId{l});
    model::Consistency consistency(model_);
    bool found = false;
    model::for_each_final_memory(graph, consistency, locations, [&](std::span<const model::Slot> last) {
      found |= std::none_of(waiting.begin(), waiting.end(), [&](const Operation& operation) {
        const model::Access& access = operation.access;
        if (!waits_for_value(access)) return false;
        const model::Value value = graph.event(last[static_cast<std::size_t>(number(access.location))]).value;
        return is_waited_for(access, value);
      });
      return true;
    });
    return found;
  }
  static bool waits_for_value(const model::Access& access) {
    return access.await == model::Await::kEqual || access.await == model::Await::kNotEqual || access.await == model::Await::kUseful;
  }
  bool is_waited_for(const model::Access& access, model::Value value) const {
    if (access.await == model::Await::kUseful) return !useless_values().contains(number(access.other), value);
    return ((value & access.operand) == access.expected) == (access.await == model::Await::kEqual);
  }
  bool has_started(const model::ExecutionGraph& graph, engine::ThreadId thread) const {
    return number(thread) < program_.initial_threads() ||
           (number(thread) < graph.threads() && graph.creation_of(thread) != model::kNone);
  }
  bool has_ended(const model::ExecutionGraph& graph, engine::ThreadId thread) {
    return has_started(graph, thread) && program_.next(thread).kind == OperationKind::kFinish;
  }

  void extend(const model::ExecutionGraph& graph, const Operation& operation) {
    const engine::ThreadId thread = operation.access.thread;
    switch (operation.kind) {
      case OperationKind::kLoad:
      case OperationKind::kRmw:
      case OperationKind::kLock:
      case OperationKind::kUnlock:
      case OperationKind::kNotify:
      case OperationKind::kAwait: return extend_read(graph, operation);
      case OperationKind::kStore: return extend_write(graph, operation, list_, 1, writes_at(graph, operation) + 1);
      case OperationKind::kChoose:
        for (std::uint32_t value = 0; value < operation.alternatives; ++value)
          add(list_, {thread, ChoiceKind::kValue, model::kNoThread, 0, static_cast<model::Value>(value)});
        return;
      default: return add(list_, {thread, ChoiceKind::kStep, model::kNoThread, 0, 0});
    }
  }

  void extend_read(const model::ExecutionGraph& graph, const Operation& operation) {
    const model::Access& access = operation.access;
    const model::Value initial = program_.initial_value(access.location);
    if (may_read(graph, access, model::initial_write(access.location), initial))
      read_from(graph, operation, model::kNoThread, number(access.location), initial, 0);
    for (int i = 0; i < graph.size(); ++i) {
      const model::Event& write = graph.event(model::Slot{i});
      if (write.kind == model::EventKind::kWrite && write.location == access.location &&
          may_read(graph, access, model::Slot{i}, write.value))
        read_from(graph, operation, write.thread, write.index, write.value, write.mo_position);
    }
  }

  /// What operations that wait may read.
  bool may_read(const model::ExecutionGraph& graph, const model::Access& access, model::Slot source, model::Value value) {
    const model::Value masked = value & access.operand;
    if (access.await == model::Await::kApplicable) return is_free(access, value) && !is_built_upon(graph, source);
    if (access.function == RmwFunction::kUnlock)
      return value % 2 == 1 && number(source) >= 0 && graph.event(source).thread == access.thread && !is_built_upon(graph, source);
    switch (access.await) {
      case model::Await::kNone: return true;
      case model::Await::kEqual:
      case model::Await::kNotEqual:
      case model::Await::kUseful: return is_waited_for(access, value);
      case model::Await::kReached: return number(source) >= 0 && value == access.expected;
      case model::Await::kApplicable:
      case model::Await::kWoken: break;
    }
    // The RMW that cleared the bit after its thread had set it: follow the chain down to the thread's own RMW.
    if (masked != 0 || number(source) < 0) return false;
    model::Slot at = graph.event(source).rf;
    if (at == model::kNone || (value_of(graph, at) & access.operand) == 0) return false;
    while (number(at) >= 0 && graph.event(at).thread != access.thread) at = graph.event(at).rf;
    return number(at) >= 0 && graph.last_here(access.location, access.thread) == at;
  }
  /// For one who wants to lock or take it.
  static bool is_free(const model::Access& access, model::Value state) {
    if (access.function == RmwFunction::kTake) return state > 0;                 // a semaphore
    if (access.function == RmwFunction::kLockShared) return state % 2 == 0;      // the writer is 1, readers are 2 each
    if (access.function == RmwFunction::kLockRobust) return state % 2 == 0;      // held is 1; the rest says how it was left
    return state == 0;
  }
  static model::Value value_of(const model::ExecutionGraph& graph, model::Slot write) { return graph.event(write).value; }
  static bool is_built_upon(const model::ExecutionGraph& graph, model::Slot write) {
    for (int i = 0; i < graph.size(); ++i) {
      const model::Event& event = graph.event(model::Slot{i});
      if (event.kind == model::EventKind::kWrite && event.is_rmw && event.rf == write) return true;
    }
    return false;
  }
  void read_from(const model::ExecutionGraph& graph, const Operation& operation, engine::ThreadId thread, int index,
                 model::Value value, int position) {
    engine::UnitOfWork list = list_;
    list.push_back({operation.access.thread, ChoiceKind::kReadsFrom, thread, index, 0});
    if (operation.kind == OperationKind::kNotify && value != 0) {
      list.back().kind = ChoiceKind::kWokenWaiter;
      for (int bit = 0; bit < 63; ++bit) {
        list.back().value = bit;
        if ((value >> bit & 1) != 0) extend_write(graph, operation, list, position + 1, position + 1);
      }
      return;
    }
    if (!model::writes_after_reading(operation.access, value)) return add(std::move(list));
    extend_write(graph, operation, list, position + 1, position + 1);
    if (!operation.access.is_weak) return;
    list.back().kind = ChoiceKind::kSpuriousFailure;
    add(std::move(list));
  }

  /// With explicit modification order: at each position of a range. Those behind it move up, in the list too.
  void extend_write(const model::ExecutionGraph& graph, const Operation& operation, const engine::UnitOfWork& list,
                    int first, int last) {
    if (model_ != model::Model::kSc && model_ != model::Model::kTso)
      return add(list, {operation.access.thread, ChoiceKind::kStep, model::kNoThread, 0, 0});
    for (int position = first; position <= last; ++position) {
      engine::UnitOfWork moved = list;
      for (int i = 0; i < graph.size(); ++i) {
        const model::Event& event = graph.event(model::Slot{i});
        if (event.kind == model::EventKind::kWrite && event.location == operation.access.location &&
            event.mo_position >= position)
          ++moved[event.stamp].index;
      }
      add(std::move(moved), {operation.access.thread, ChoiceKind::kMoPosition, model::kNoThread, position, 0});
    }
  }
  static int writes_at(const model::ExecutionGraph& graph, const Operation& operation) {
    return number(operation.access.location) < graph.locations() ? graph.writes_at(operation.access.location) : 0;
  }

  void add(engine::UnitOfWork list) { open_.push_back(std::move(list)); }
  void add(engine::UnitOfWork list, const Choice& choice) {
    list.push_back(choice);
    open_.push_back(std::move(list));
  }

  engine::Program& program_;
  model::Model model_;
  std::function<std::string(const model::ExecutionGraph&)> key_ = &explore::class_key;
  engine::UnitOfWork list_;               // the beginning at hand
  std::vector<engine::UnitOfWork> open_;  // still to be looked at
  std::unordered_set<std::string> seen_;  // keys of beginnings
  std::set<std::string> classes_, blocked_;
};

}  // namespace ordeal::tests
