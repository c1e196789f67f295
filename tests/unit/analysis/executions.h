// Executions for tests of src/analysis: made by hand or at random, and judged by trying all interleavings.
#pragma once

#include <string>
#include <vector>

#include "analysis/inference.h"
#include "analysis/operations.h"
#include "base/rng.h"

namespace ordeal::analysis::testing {

/// Adds operations, one call each; the order of calls is the order of execution. Sources are named by what the calls return, and may be
/// given later (`read_from`).
class Maker {
 public:
  explicit Maker(int threads, int locations) : threads_(threads), locations_(locations) {}
  OperationId write(int thread, int location) { return add({.sort = Sort::kWrite, .thread = thread, .location = location}); }
  OperationId read(int thread, int location, OperationId source) { return add({.sort = Sort::kRead, .thread = thread, .location = location, .source = source}); }
  OperationId read_initial(int thread, int location) { return read(thread, location, initial_write(location)); }
  OperationId update(int thread, int location, OperationId source) { return add({.sort = Sort::kUpdate, .thread = thread, .location = location, .source = source}); }
  OperationId create(int thread, int other) { return add({.sort = Sort::kCreate, .thread = thread, .other = other}); }
  OperationId join(int thread, int other) { return add({.sort = Sort::kJoin, .thread = thread, .other = other}); }
  OperationId wake(int thread, OperationId source) { return add({.sort = Sort::kWake, .thread = thread, .source = source}); }
  OperationId fence(int thread) { return add({.thread = thread}); }
  void read_from(OperationId read, OperationId source) { all_[static_cast<std::size_t>(read)].source = source; }
  void set_mo_position(OperationId write, int position) { all_[static_cast<std::size_t>(write)].mo_position = position; }
  Operations make() const {
    Operations operations;
    operations.assign(all_, threads_, locations_);
    return operations;
  }

 private:
  OperationId add(const Operation& operation) {
    all_.push_back(operation);
    return static_cast<OperationId>(all_.size()) - 1;
  }
  std::vector<Operation> all_;
  int threads_, locations_;
};

/// Anything: most of them are no executions of any memory model.
Operations random_execution(base::Rng& rng);

/// Tries all interleavings.
bool has_interleaving(const Operations& operations);
/// What is wrong with it; empty: it is an interleaving in which each read reads its source.
std::string check_interleaving(const Operations& operations, const std::vector<OperationId>& order);
/// What is wrong with the edges, each derived by the rules as they are written, from those before it; empty: nothing.
std::string check_cycle(const Operations& operations, const std::vector<ScEdge>& edges, const std::vector<ScEdge>& reasons);

std::string text_of(const Operations& operations);

}  // namespace ordeal::analysis::testing
