// Every execution class of a program by trying everything: what the search must find, each class once.
//
// A *beginning* is a consistent graph that is closed under po ∪ rf. The empty one is; and every consistent class is
// reached from it event by event, because beginnings of consistent graphs are consistent. So: extend each beginning by
// each thread that can go on, with each choice it has, and keep those that the model allows; none twice. It shares the
// model with the search, but nothing of the search: no revisits, no canonical choices, no insertion order.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include "engine/session.h"
#include "explore/replay.h"
#include "explore/uniqueness.h"

namespace ordeal::tests {

class BruteForce final : engine::Observer {
 public:
  /// REQUIRES: a program without checkpoints.
  BruteForce(engine::Program& program, model::Model model) : program_(program), model_(model) {}

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
    bool is_over = true;
    for (int t = 0; t < execution.graph.threads(); ++t) {
      const engine::ThreadId thread{t};
      if (!has_started(execution.graph, thread)) continue;
      const Operation& operation = program_.next(thread);
      if (operation.kind == OperationKind::kFinish || operation.kind == OperationKind::kBlock) continue;
      if (operation.kind == OperationKind::kJoin && !has_ended(execution.graph, operation.access.other)) continue;
      is_over = false;
      extend(execution.graph, operation);
    }
    if (is_over) classes_.insert(key);
    return true;
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
      case OperationKind::kRmw: return extend_read(graph, operation);
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
    read_from(graph, operation, model::kNoThread, number(access.location), program_.initial_value(access.location), 0);
    for (int i = 0; i < graph.size(); ++i) {
      const model::Event& write = graph.event(model::Slot{i});
      if (write.kind == model::EventKind::kWrite && write.location == access.location)
        read_from(graph, operation, write.thread, write.index, write.value, write.mo_position);
    }
  }
  void read_from(const model::ExecutionGraph& graph, const Operation& operation, engine::ThreadId thread, int index,
                 model::Value value, int position) {
    engine::UnitOfWork list = list_;
    list.push_back({operation.access.thread, ChoiceKind::kReadsFrom, thread, index, 0});
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
  engine::UnitOfWork list_;               // the beginning at hand
  std::vector<engine::UnitOfWork> open_;  // still to be looked at
  std::unordered_set<std::string> seen_;  // keys of beginnings
  std::set<std::string> classes_;
};

}  // namespace ordeal::tests
