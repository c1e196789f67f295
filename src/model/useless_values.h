// Values that are of no use to a thread that waits: having read one, it only comes back to read again.
//
// A *place* is where a thread waits and what it has in hand there; the program numbers them and knows what they mean. The
// search asks about values while it runs, so the table must not change meanwhile.
#pragma once

#include <algorithm>
#include <vector>

#include "model/event.h"

namespace ordeal::model {

class UselessValues {
 public:
  void add(std::int32_t place, Value value) {
    if (contains(place, value)) return;
    if (static_cast<std::size_t>(place) >= places_.size()) places_.resize(static_cast<std::size_t>(place) + 1);
    places_[static_cast<std::size_t>(place)].push_back(value);
  }
  bool contains(std::int32_t place, Value value) const {
    if (static_cast<std::size_t>(place) >= places_.size()) return false;
    const std::vector<Value>& values = places_[static_cast<std::size_t>(place)];
    return std::find(values.begin(), values.end(), value) != values.end();
  }
  bool has_any(std::int32_t place) const { return static_cast<std::size_t>(place) < places_.size() && !places_[static_cast<std::size_t>(place)].empty(); }
  void clear() { places_.clear(); }

 private:
  std::vector<std::vector<Value>> places_;
};

}  // namespace ordeal::model
