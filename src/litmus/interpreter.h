// A litmus test as a program under test.
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

#include "engine/program.h"
#include "litmus/code.h"
#include "model/execution_graph.h"

namespace ordeal::litmus {

/// The test does something that has no meaning: it loads from an address where there is no location.
class RuntimeError : public std::runtime_error {
 public:
  RuntimeError(Position at, const std::string& message) : std::runtime_error(message), position(at) {}
  Position position;
};

class Interpreter final : public engine::Program {
 public:
  Interpreter(const Test& test, int loop_bound);

  void begin() override;
  int initial_threads() const override { return static_cast<int>(code_.size()); }
  engine::Value initial_value(engine::LocationId location) const override {
    return test_.locations[static_cast<std::size_t>(number(location))].initial;
  }
  int locations() const override { return static_cast<int>(test_.locations.size()); }
  const engine::Operation& next(engine::ThreadId thread) override;
  void resume(engine::ThreadId thread, const engine::Result& result) override;

  std::size_t checkpoint_size() const override { return has_checkpoints_ ? state_size_ * sizeof(Value) : 0; }
  void save(engine::ThreadId thread, std::byte* into) override;
  void restore(engine::ThreadId thread, const std::byte* from) override;
  /// Without checkpoints the engine runs the test from its start each time, as it does with native programs.
  void set_checkpoints(bool on) { has_checkpoints_ = on; }

  /// The value that a variable has now; at the end of an execution its final value.
  Value variable(int thread, int index) const { return state_[static_cast<std::size_t>(thread) * state_size_ + 1 + static_cast<std::size_t>(index)]; }
  /// The value of a variable in a checkpoint.
  static Value variable_in(const std::byte* checkpoint, int index);
  Value initial_variable(int thread, int index) const {
    return initial_[static_cast<std::size_t>(thread) * state_size_ + 1 + static_cast<std::size_t>(index)];
  }
  bool has_plain_accesses() const;
  /// "P0 writes x (line 4)": an access, and the statement that it comes from. REQUIRES: an access.
  std::string describe(const model::ExecutionGraph& graph, model::Slot slot) const;

 private:
  Value* state(engine::ThreadId thread) { return state_.data() + static_cast<std::size_t>(number(thread)) * state_size_; }
  void run_to_operation(engine::ThreadId thread);
  void fill(engine::Operation& operation, engine::ThreadId thread, const Instruction& instruction, const Value* registers);
  void fill_access(engine::Operation& operation, engine::ThreadId thread, const Instruction& instruction, const Value* registers);

  const Test& test_;
  std::vector<ThreadCode> code_;
  std::size_t state_size_ = 1;   // program counter, registers; the same for all threads
  std::vector<Value> state_;
  std::vector<Value> initial_;
  std::vector<engine::Operation> operation_;
  std::vector<char> is_filled_;
  bool has_checkpoints_ = true;
};

}  // namespace ordeal::litmus
