// The initial state of a litmus test: `{ atomic_int x = 1; p = &x; 0:r1 = 5; }`.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "litmus/ast.h"
#include "litmus/source_type.h"

namespace ordeal::litmus {

class TokenCursor;

/// A number, or the address of a location.
struct InitialValue {
  Value number = 0;
  std::string location;  // empty for a number
};

/// What is said of one location or register.
struct InitialEntry {
  std::string name;
  Position position;
  std::optional<SourceType> type;
  std::optional<InitialValue> value;
};

struct InitialState {
  using Registers = std::map<std::string, InitialEntry>;
  std::vector<InitialEntry> locations;  // in the order of the file
  std::map<int, Registers> registers;   // by thread, then name

  const InitialEntry* find_register(int thread, const std::string& name) const;
};

/// Reads from `{` to `}`.
InitialState parse_initial_state(TokenCursor& cursor);

}  // namespace ordeal::litmus
