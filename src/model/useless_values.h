// Values that are of no use to a thread that waits: having read one, it only comes back to read again (it *waits*), or another execution comes to the same
// (it is *redundant*: then that it reads nothing else is no bug).
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
  enum class Why : std::uint8_t { kNot, kWaits, kRedundant };

  /// REQUIRES: `why` is not kNot.
  void add(std::int32_t place, Value value, Why why = Why::kWaits) {
    if (contains(place, value)) return;
    if (static_cast<std::size_t>(place) >= places_.size()) places_.resize(static_cast<std::size_t>(place) + 1);
    places_[static_cast<std::size_t>(place)].push_back({value, why});
  }
  Why why(std::int32_t place, Value value) const {
    if (static_cast<std::size_t>(place) >= places_.size()) return Why::kNot;
    for (const Entry& entry : places_[static_cast<std::size_t>(place)])
      if (entry.value == value) return entry.why;
    return Why::kNot;
  }
  bool contains(std::int32_t place, Value value) const { return why(place, value) != Why::kNot; }
  bool has_redundant(std::int32_t place) const {
    if (static_cast<std::size_t>(place) >= places_.size()) return false;
    const std::vector<Entry>& entries = places_[static_cast<std::size_t>(place)];
    return std::any_of(entries.begin(), entries.end(), [](const Entry& entry) { return entry.why == Why::kRedundant; });
  }
  bool has_any(std::int32_t place) const { return static_cast<std::size_t>(place) < places_.size() && !places_[static_cast<std::size_t>(place)].empty(); }
  void clear() { places_.clear(); }

 private:
  struct Entry {
    Value value;
    Why why;
  };
  std::vector<std::vector<Entry>> places_;
};

}  // namespace ordeal::model
