// Orbits: classes that are the same up to which of the symmetric threads is which.
//
// The key of an orbit is the least among the keys of its classes, each written down here with the threads renamed. Values of
// condition variables have a bit for each thread, which is renamed too. Joins are left out: a class in which main still waits
// for T1, T2 having ended, is one in which it has joined T1 and waits for T2.
#pragma once

#include <algorithm>
#include <numeric>
#include <string>
#include <vector>

#include "model/execution_graph.h"

namespace ordeal::tests {

struct Symmetric {
  model::ThreadId first{};
  int count = 1;
  model::LocationId first_condition{};  // from there on all are
};

class Orbit {
 public:
  Orbit(const model::ExecutionGraph& graph, const Symmetric& threads) : graph_(graph), threads_(threads), who_(static_cast<std::size_t>(graph.threads())) {
    std::iota(who_.begin(), who_.end(), 0);
  }

  std::string key() {
    std::string least;
    const auto begin = who_.begin() + std::min(number(threads_.first), graph_.threads());
    const auto end = who_.begin() + std::min(number(threads_.first) + threads_.count, graph_.threads());
    do {
      std::string key = renamed();
      if (least.empty() || key < least) least = std::move(key);
    } while (std::next_permutation(begin, end));
    return least;
  }

 private:
  /// who_[n]: the thread that is called n.
  std::string renamed() const {
    std::string key;
    for (std::size_t name = 0; name < who_.size(); ++name) {
      key += "T" + std::to_string(name);
      std::vector<model::Slot> events;
      for (model::Slot at = graph_.last_of(model::ThreadId{who_[name]}); at != model::kNone; at = graph_.event(at).previous) events.push_back(at);
      for (auto at = events.rbegin(); at != events.rend(); ++at) append(key, graph_.event(*at));
    }
    return key;
  }
  void append(std::string& key, const model::Event& event) const {
    if (event.kind == model::EventKind::kAttempt || event.kind == model::EventKind::kJoin) return;
    key += "|" + std::to_string(static_cast<int>(event.kind)) + (event.is_rmw ? "u" : "") + (event.failed_spuriously ? "f" : "");
    key += "@" + std::to_string(number(event.location)) + "=" + std::to_string(renamed(event)) + "#" + std::to_string(event.mo_position);
    if (event.rf == model::kNone) return;
    if (model::is_initial(event.rf)) key += "<init";
    else key += "<" + std::to_string(name_of(graph_.event(event.rf).thread)) + "." + std::to_string(graph_.place_in_class(event.rf));
  }
  int name_of(model::ThreadId thread) const { return static_cast<int>(std::find(who_.begin(), who_.end(), number(thread)) - who_.begin()); }
  model::Value renamed(const model::Event& event) const {
    if (event.kind == model::EventKind::kCreate) return 0;  // it names a group
    if (number(event.location) < number(threads_.first_condition)) return event.value;
    model::Value value = 0;
    for (std::size_t name = 0; name < who_.size(); ++name) value |= (event.value >> who_[name] & 1) << name;
    return value;
  }

  const model::ExecutionGraph& graph_;
  Symmetric threads_;
  std::vector<int> who_;
};

inline std::string orbit_key(const model::ExecutionGraph& graph, const Symmetric& threads) { return Orbit(graph, threads).key(); }

}  // namespace ordeal::tests
