// A scripted program without checkpoints that can be kept as it stands (Program::keep): by a copy of all of it.
#pragma once

#include <algorithm>
#include <limits>
#include <set>
#include <stdexcept>
#include <vector>

#include "tests/support/scripted_program.h"

namespace ordeal::tests {

class KeepingProgram final : public engine::Program {
 public:
  static constexpr int kNever = std::numeric_limits<int>::max();

  explicit KeepingProgram(const ScriptedProgram& program) : program_(program) {}

  bool can_be_kept = true;
  int most_milestones = kNever;        // keep() says no to more
  int wrong_from_return = kNever;      // from this return to a milestone on, all threads do something else until `begin`
  int wrong_from_begin = kNever;       // likewise after this `begin`

  // What was asked for, and how many milestones there were at most at once.
  int begins = 0, keeps = 0, returns = 0, resumes = 0, most_kept = 0;
  std::set<ThreadId> asked, asked_at_first;  // threads, since `begin`; before the first milestone

  void begin() override {
    is_wrong_ = ++begins >= wrong_from_begin;
    kept_.clear();
    asked.clear();
    program_.begin();
  }
  bool keep(int milestone) override {
    ++keeps;
    if (milestone == 0) asked_at_first = asked;
    if (milestone > milestones()) throw std::logic_error("there are fewer milestones");
    kept_.resize(static_cast<std::size_t>(milestone), program_);
    if (!can_be_kept || milestone >= most_milestones) return false;
    kept_.push_back(program_);
    most_kept = std::max(most_kept, milestones());
    return true;
  }
  int milestones() const override { return static_cast<int>(kept_.size()); }
  void go_back(int milestone) override {
    if (milestone >= milestones()) throw std::logic_error("there is no such milestone");
    is_wrong_ = ++returns >= wrong_from_return;
    kept_.resize(static_cast<std::size_t>(milestone) + 1, program_);
    program_ = kept_.back();
  }

  const Operation& next(ThreadId thread) override {
    asked.insert(thread);
    const Operation& operation = program_.next(thread);
    if (!is_wrong_) return operation;
    other_ = operation;
    ++other_.access.operand;
    return other_;
  }
  void resume(ThreadId thread, const engine::Result& result) override {
    ++resumes;
    program_.resume(thread, result);
  }
  void set_known_results(engine::KnownResults* results) override { program_.set_known_results(is_wrong_ ? nullptr : results); }
  int initial_threads() const override { return program_.initial_threads(); }
  Value initial_value(LocationId location) const override { return program_.initial_value(location); }
  int locations() const override { return program_.locations(); }

 private:
  ScriptedProgram program_;
  std::vector<ScriptedProgram> kept_;
  bool is_wrong_ = false;
  Operation other_;
};

}  // namespace ordeal::tests
