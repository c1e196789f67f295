// Watches a search that takes threads for symmetric (runtime/symmetry.h): do they end alike, too?
#pragma once

#include "engine/observer.h"
#include "runtime/native_program.h"

namespace ordeal::agent {

class SymmetryWatch final : public engine::Observer {
 public:
  explicit SymmetryWatch(runtime::NativeProgram& program) : program_(program) {}

  /// A thread that has ended, or cannot go on for good, while one that did the same went on, is no twin of it.
  bool finished(const engine::Execution& execution) override;

 private:
  runtime::NativeProgram& program_;
};

}  // namespace ordeal::agent
