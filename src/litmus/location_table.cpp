#include "litmus/location_table.h"

namespace ordeal::litmus {

LocationTable::LocationTable(const InitialState& state, const std::vector<ThreadHeader>& threads) {
  for (const auto& entry : state.locations) add(entry.name);
  for (const auto& entry : state.locations)
    if (entry.value && !entry.value->location.empty()) add(entry.value->location);
  for (const auto& thread : threads) {
    const auto registers = state.registers.find(thread.number);
    if (registers == state.registers.end()) continue;
    for (const auto& [name, entry] : registers->second)
      if (entry.value && !entry.value->location.empty()) add(entry.value->location);
  }
  for (const auto& entry : state.locations) {
    const auto index = static_cast<std::size_t>(find(entry.name));
    if (entry.type) types_[index] = *entry.type;
    has_type_[index] = entry.type.has_value();
    if (entry.value) locations_[index].initial = value_of(*entry.value);
  }
  for (const auto& thread : threads)
    for (const auto& parameter : thread.parameters)
      if (parameter.type.is_pointer()) add_pointee(state, thread.number, parameter);
  for (std::size_t index = 0; index < locations_.size(); ++index) locations_[index].type = types_[index].type();
}

int LocationTable::find(std::string_view name) const {
  const auto found = index_.find(std::string(name));
  return found == index_.end() ? -1 : found->second;
}

Value LocationTable::value_of(const InitialValue& value) const {
  return value.location.empty() ? value.number : address_of(find(value.location));
}

int LocationTable::add(const std::string& name) {
  const auto [place, is_new] = index_.emplace(name, static_cast<int>(locations_.size()));
  if (is_new) {
    locations_.emplace_back().name = name;
    types_.emplace_back();
    has_type_.push_back(false);
  }
  return place->second;
}

void LocationTable::add_pointee(const InitialState& state, int thread, const Parameter& parameter) {
  std::string target = parameter.name;
  if (const InitialEntry* entry = state.find_register(thread, parameter.name); entry != nullptr && entry->value) {
    if (entry->value->location.empty()) return;
    target = entry->value->location;
  }
  const auto index = static_cast<std::size_t>(add(target));
  const SourceType pointee = parameter.type.pointee();
  if (!has_type_[index]) {
    types_[index] = pointee;
    has_type_[index] = true;
  } else if (pointee.is_atomic_object()) {
    types_[index].atomic_levels |= std::uint32_t{1} << types_[index].pointers;
  }
}

}  // namespace ordeal::litmus
