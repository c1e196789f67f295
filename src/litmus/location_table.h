// The memory locations of a test: those of the initial state and those that parameters name.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "litmus/ast.h"
#include "litmus/initial_state.h"
#include "litmus/source_type.h"

namespace ordeal::litmus {

struct Parameter {
  std::string name;
  Position position;
  SourceType type;
};

/// `P0 (atomic_int* x, int r)`.
struct ThreadHeader {
  int number = 0;
  Position position;
  std::vector<Parameter> parameters;
};

class LocationTable {
 public:
  /// All locations of a test. Their types come from the initial state, or else from the first parameter that points to
  /// them; a location is atomic if any says so.
  LocationTable(const InitialState& state, const std::vector<ThreadHeader>& threads);

  int find(std::string_view name) const;  // -1 if there is none
  const SourceType& type(int location) const { return types_[static_cast<std::size_t>(location)]; }
  const std::vector<Location>& locations() const { return locations_; }
  /// REQUIRES: if `value` names a location, it exists (all that the initial state names do).
  Value value_of(const InitialValue& value) const;

 private:
  int add(const std::string& name);
  void add_pointee(const InitialState& state, int thread, const Parameter& parameter);

  std::vector<Location> locations_;
  std::vector<SourceType> types_;
  std::vector<bool> has_type_;
  std::unordered_map<std::string, int> index_;
};

}  // namespace ordeal::litmus
