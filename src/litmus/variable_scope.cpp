#include "litmus/variable_scope.h"

#include <utility>

#include "litmus/token_cursor.h"

namespace ordeal::litmus {

VariableScope::VariableScope(const TokenCursor& cursor, const InitialState& state, const LocationTable& locations,
                             int thread)
    : cursor_(cursor), state_(state), locations_(locations), thread_(thread), declared_(1) {}

void VariableScope::declare_parameter(const Parameter& parameter) {
  if (by_name_.contains(parameter.name))
    cursor_.fail(parameter.position, "parameter '" + parameter.name + "' is declared twice");
  const int variable = declare(parameter.name, parameter.type, parameter.position);
  entry(variable).variable.is_parameter = true;
  entry(variable).is_assigned = true;
  if (const int location = locations_.find(parameter.name); location >= 0) {
    const auto& target = locations_.locations()[static_cast<std::size_t>(location)];
    entry(variable).variable.initial = parameter.type.is_pointer() ? address_of(location) : target.initial;
  }
}

int VariableScope::declare(std::string_view source_name, const SourceType& type, Position position) {
  const std::string name(source_name);
  if (addressed_.contains(name))
    cursor_.fail(position, "'" + name + "' is declared after '&" + name + "' stood for the location");
  const int variable = variable_to_declare(name, type, position);
  Entry& declared = entry(variable);
  declared.is_declared = true;
  declared.type = type;
  visible_[name].push_back({variable, declared_.size() - 1});
  declared_.back().push_back(name);
  return variable;
}

int VariableScope::variable_to_declare(const std::string& name, const SourceType& type, Position position) {
  if (const int visible = find_visible(name); visible >= 0) {
    const Entry& other = entry(visible);
    if (visible_.at(name).back().block == declared_.size() - 1)
      cursor_.fail(position, "'" + name + "' is declared twice");
    const bool is_same = other.is_implicit && (!other.is_declared || other.type == type);
    return is_same ? visible : add_hidden(name, type, position);
  }
  if (const int known = find_unhidden(name); known >= 0 && entry(known).type == type) return known;
  return by_name_.contains(name) ? add_hidden(name, type, position) : add(name, type, position);
}

int VariableScope::add_temporary(const SourceType& type) {
  const int variable = add_hidden("address", type, {});
  entry(variable).is_declared = true;
  return variable;
}

int VariableScope::use(std::string_view source_name, Position position) {
  const std::string name(source_name);
  if (const int visible = find_visible(name); visible >= 0) return visible;
  // The block of its declaration may have ended: herd's registers live on.
  if (const int known = find_unhidden(name); known >= 0) return known;
  const InitialEntry* initial = state_.find_register(thread_, name);
  if (initial == nullptr && locations_.find(name) >= 0)
    cursor_.fail(position, "unknown register '" + name + "' in P" + std::to_string(thread_) + ": '" + name +
                               "' is a location, but not a parameter of P" + std::to_string(thread_));
  if (is_reserved(name)) cursor_.fail(position, "expected an expression, found the keyword '" + name + "'");
  const auto type = initial != nullptr ? initial_type(*initial) : std::nullopt;
  const int variable = by_name_.contains(name) ? add_hidden(name, {}, position) : add(name, {}, position);
  Entry& used = entry(variable);
  used.type = type.value_or(SourceType{});
  used.is_assigned = type.has_value();
  used.is_implicit = true;
  visible_[name].push_back({variable, kNoBlock});
  return variable;
}

bool VariableScope::is_known(std::string_view source_name) const {
  const std::string name(source_name);
  return find_visible(name) >= 0 || find_unhidden(name) >= 0 || state_.find_register(thread_, name) != nullptr;
}

void VariableScope::note_assignment(int variable, const SourceType& value_type) {
  Entry& assigned = entry(variable);
  if (!assigned.is_declared && !assigned.is_assigned) assigned.type = value_type.promoted();
  assigned.is_assigned = true;
}

void VariableScope::leave_block() {
  for (const auto& name : declared_.back()) {
    const auto bindings = visible_.find(name);
    bindings->second.pop_back();
    if (bindings->second.empty()) visible_.erase(bindings);
  }
  declared_.pop_back();
}

std::vector<Variable> VariableScope::finish() {
  if (const auto registers = state_.registers.find(thread_); registers != state_.registers.end())
    for (const auto& [name, initial] : registers->second) {
      int variable = find_unhidden(name);
      if (variable < 0) {
        const SourceType type = initial_type(initial).value_or(SourceType{});
        variable = by_name_.contains(name) ? add_hidden(name, type, {}) : add(name, type, {});
      }
      entry(variable).is_assigned = true;
      if (initial.value) entry(variable).variable.initial = locations_.value_of(*initial.value);
    }
  std::vector<Variable> variables;
  variables.reserve(entries_.size());
  for (auto& finished : entries_) {
    if (!finished.is_declared && !finished.is_assigned)
      cursor_.fail(finished.first_use,
                   "unknown register '" + finished.variable.name + "' in P" + std::to_string(thread_));
    finished.variable.type = finished.type.type();
    variables.push_back(std::move(finished.variable));
  }
  return variables;
}

/// The type that the initial state gives to a register: as written, or that of the address it holds.
std::optional<SourceType> VariableScope::initial_type(const InitialEntry& initial) const {
  if (initial.type || !initial.value || initial.value->location.empty()) return initial.type;
  return locations_.type(locations_.find(initial.value->location)).pointer_to();
}

int VariableScope::add(const std::string& name, const SourceType& type, Position position) {
  const int variable = static_cast<int>(entries_.size());
  Entry& added = entries_.emplace_back();
  added.type = type;
  added.first_use = position;
  added.variable.name = name;
  by_name_.emplace(name, variable);
  return variable;
}

/// Adds `r0#2`, or the next number that is free.
int VariableScope::add_hidden(const std::string& name, const SourceType& type, Position position) {
  int& copy = copies_.try_emplace(name, 1).first->second;
  std::string unused;
  do unused = name + "#" + std::to_string(++copy);
  while (by_name_.contains(unused));
  const int variable = add(unused, type, position);
  entry(variable).is_hidden = true;
  return variable;
}

int VariableScope::find_unhidden(const std::string& name) const {
  const auto known = by_name_.find(name);
  return known == by_name_.end() || entry(known->second).is_hidden ? -1 : known->second;
}

int VariableScope::find_visible(const std::string& name) const {
  const auto bindings = visible_.find(name);
  return bindings == visible_.end() ? -1 : bindings->second.back().variable;
}

}  // namespace ordeal::litmus
