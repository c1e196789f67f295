// Where threads were stopped in a loop, by what they depend on: then it need not be seen again.
//
// What a thread does is a function of the events that its last one comes from, by po and rf. So if that is a read after which the thread was stopped once, it is stopped after it in any other graph in which the
// read comes from the same events: a revisit that leads there can be looked at (dead_ends.h) before the program is run again.
//
// Cost: that of looking at all events, which is small beside a run of the program.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <utility>

#include "base/rng.h"
#include "engine/stopped_turn.h"
#include "model/execution_graph.h"

namespace ordeal::explore {

class KnownStops {
 public:
  struct Stop {
    bool has_turn = false;
    engine::StoppedTurn turn;
  };

  /// The thread of the last event was stopped after it.
  void note(const model::ExecutionGraph& graph, const engine::StoppedTurn* turn) {
    if (stops_.size() >= kMost) return;
    stops_.try_emplace(key_of(graph), turn == nullptr ? Stop{} : Stop{true, *turn});
  }
  /// nullptr: it is not known whether it is stopped there.
  const Stop* find(const model::ExecutionGraph& graph) const {
    if (stops_.empty()) return nullptr;
    const auto found = stops_.find(key_of(graph));
    return found == stops_.end() ? nullptr : &found->second;
  }

 private:
  static constexpr std::size_t kMost = std::size_t{1} << 16;

  /// Two sums, so long that nothing is equal by chance.
  struct Key {
    std::uint64_t first = 0, second = 0;
    bool operator==(const Key&) const = default;
  };
  struct Hash {
    std::size_t operator()(const Key& key) const { return key.first; }
  };
  /// Of the events that the last one comes from, in no order.
  static Key key_of(const model::ExecutionGraph& graph) {
    using model::number;
    const model::Slot last = graph.last();
    const model::ClockEntry* prefix = graph.row(last, model::Row::kPorf);
    Key key{static_cast<std::uint64_t>(number(graph.event(last).thread)),
            static_cast<std::uint64_t>(graph.event(last).index)};
    for (int i = 0; i <= number(last); ++i) {
      const model::Event& event = graph.event(model::Slot{i});
      if (event.index >= prefix[number(event.thread)]) continue;
      const std::uint64_t place =
          static_cast<std::uint64_t>(number(event.thread)) << 32 | static_cast<std::uint32_t>(event.index);
      std::uint64_t what = base::mix(place + 0x9E3779B97F4A7C15 * static_cast<std::uint64_t>(event.kind)) ^
                           static_cast<std::uint64_t>(event.value);
      what = base::mix(what) ^ (static_cast<std::uint64_t>(static_cast<std::uint32_t>(number(event.location))) << 1 |
                                (event.failed_spuriously ? 1 : 0));
      if (event.rf != model::kNone) what = base::mix(what) ^ name_of(graph, event.rf);
      key.first += base::mix(what);
      key.second += base::mix(what + 0xC2B2AE3D27D4EB4F);
    }
    return key;
  }
  static std::uint64_t name_of(const model::ExecutionGraph& graph, model::Slot slot) {
    if (model::is_initial(slot)) return ~std::uint64_t{0};
    const model::Event& event = graph.event(slot);
    return static_cast<std::uint64_t>(number(event.thread)) << 32 | static_cast<std::uint32_t>(event.index);
  }

  std::unordered_map<Key, Stop, Hash> stops_;
};

}  // namespace ordeal::explore
