// What follows the threads: `locations [...]`, `filter (...)`, and the condition on the final state.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "litmus/ast.h"
#include "litmus/location_table.h"
#include "litmus/token_cursor.h"

namespace ordeal::litmus {

class ConditionParser {
 public:
  /// REQUIRES: all outlive the parser; the threads of `test` are complete.
  ConditionParser(TokenCursor& cursor, const LocationTable& locations, Test& test);

  /// Reads to the end of the file.
  void parse();
  /// Whether something stands here that this parser reads.
  static bool at_start(const TokenCursor& cursor);

  struct Parsed {
    Proposition proposition;
    int height = 1;  // of the tree
  };

 private:
  void skip_kinds();
  void parse_locations();
  void parse_final();
  bool accept_not();
  Parsed parse_or();
  Parsed parse_and();
  Parsed parse_implies();
  Parsed parse_not();
  Parsed checked(Parsed parsed) const;
  Proposition parse_atom();
  void parse_right_side(Proposition& atom);
  Proposition::Comparison parse_comparison();
  bool at_register() const;
  Observable parse_register();
  Observable parse_location();
  Observable parse_observable();
  int expect_location();

  TokenCursor& cursor_;
  const LocationTable& locations_;
  Test& test_;
  std::vector<std::unordered_map<std::string, int>> variables_;  // by thread and name
  int depth_ = 0;
};

}  // namespace ordeal::litmus
