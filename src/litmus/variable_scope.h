// The variables of one thread while its body is read.
//
// herd's registers need no declaration and are visible in the whole thread; C's variables have scopes. Both are served:
//  - a name that is assigned but never declared is a variable of the thread, of the type of what is assigned first;
//  - a name declared in an inner block shadows; it is listed as `r0#2` if the outer one is there;
//  - the same name declared in two blocks side by side is one variable, and is known after its block ends, so that a
//    condition can name it.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "litmus/ast.h"
#include "litmus/location_table.h"
#include "litmus/source_type.h"

namespace ordeal::litmus {

class TokenCursor;

class VariableScope {
 public:
  /// REQUIRES: all three outlive the scope.
  VariableScope(const TokenCursor& cursor, const InitialState& state, const LocationTable& locations, int thread);

  void declare_parameter(const Parameter& parameter);
  int declare(std::string_view name, const SourceType& type, Position position);
  /// A variable that the source does not name.
  int add_temporary(const SourceType& type);

  /// The variable called `name`, read or written; it may become known only later. Fails if it is a location.
  int use(std::string_view name, Position position);
  /// Whether `name` is a variable here, or is bound to become one.
  bool is_known(std::string_view name) const;
  void note_assignment(int variable, const SourceType& value_type);
  /// `&name` stood for the location: `name` cannot become a variable any more.
  void note_location(std::string_view name) { addressed_.emplace(name); }

  const SourceType& type(int variable) const { return entry(variable).type; }
  bool is_declared(int variable) const { return entry(variable).is_declared; }
  bool is_parameter(int variable) const { return entry(variable).variable.is_parameter; }
  bool is_pointer_parameter(int variable) const { return is_parameter(variable) && type(variable).is_pointer(); }

  void enter_block() { declared_.emplace_back(); }
  void leave_block();

  /// Ends the thread: checks that every name used got a value somewhere, and gives the variables.
  std::vector<Variable> finish();

 private:
  struct Entry {
    Variable variable;
    SourceType type;
    Position first_use;
    bool is_declared = false;
    bool is_assigned = false;
    bool is_implicit = false;  // used before any declaration: a register of the whole thread
    bool is_hidden = false;    // no name of the source: a shadowing variable, or a temporary
  };
  static constexpr std::size_t kNoBlock = static_cast<std::size_t>(-1);
  struct Binding {
    int variable = -1;
    std::size_t block = 0;  // where it is declared; kNoBlock if it was only used
  };

  const Entry& entry(int variable) const { return entries_[static_cast<std::size_t>(variable)]; }
  Entry& entry(int variable) { return entries_[static_cast<std::size_t>(variable)]; }
  int add(const std::string& name, const SourceType& type, Position position);
  int add_hidden(const std::string& name, const SourceType& type, Position position);
  int find_unhidden(const std::string& name) const;
  int find_visible(const std::string& name) const;
  int variable_to_declare(const std::string& name, const SourceType& type, Position position);
  std::optional<SourceType> initial_type(const InitialEntry& initial) const;

  const TokenCursor& cursor_;
  const InitialState& state_;
  const LocationTable& locations_;
  int thread_;
  std::vector<Entry> entries_;
  std::unordered_map<std::string, int> by_name_;                   // names are unique in a thread
  std::unordered_map<std::string, int> copies_;                    // the last number behind `#`
  std::unordered_map<std::string, std::vector<Binding>> visible_;  // innermost last
  std::vector<std::vector<std::string>> declared_;                 // by block; the first is the thread itself
  std::unordered_set<std::string> addressed_;
};

}  // namespace ordeal::litmus
