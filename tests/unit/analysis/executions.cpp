#include "executions.h"

#include <algorithm>
#include <set>
#include <sstream>

namespace ordeal::analysis::testing {
namespace {


/// Threads that thread 0 creates first and joins last.
Maker random_operations(base::Rng& rng, int threads, int locations, bool creates) {
  Maker maker(threads, locations);
  std::vector<int> of;  // the thread of each operation
  for (int t = 0; t < threads; ++t)
    for (int i = rng.below(5); i >= 0; --i) of.push_back(t);
  for (std::size_t i = of.size(); i > 1; --i) std::swap(of[i - 1], of[static_cast<std::size_t>(rng.below(static_cast<int>(i)))]);
  for (int t = 1; creates && t < threads; ++t)
    if (rng.below(4) != 0) maker.create(0, t);
  for (const int t : of) {
    const int location = rng.below(locations), what = rng.below(20);
    if (what < 8) maker.write(t, location);
    else if (what < 15) maker.read_initial(t, location);
    else if (what < 18) maker.update(t, location, initial_write(location));
    else if (what < 19) maker.wake(t, kNoOperation);
    else maker.fence(t);
  }
  for (int t = 1; creates && t < threads; ++t)
    if (rng.below(4) != 0) maker.join(0, t);
  return maker;
}

}  // namespace

Operations random_execution(base::Rng& rng) {
  const int threads = 2 + rng.below(3), locations = 1 + rng.below(3);
  Maker maker = random_operations(rng, threads, locations, rng.below(2) == 0);
  const Operations drawn = maker.make();
  const int rarely_old = rng.below(3);  // some read mostly what is last in the order of execution
  for (OperationId id = 0; id < drawn.size(); ++id) {
    if (!reads(drawn[id].sort) && drawn[id].sort != Sort::kWake) continue;
    std::vector<OperationId> sources;
    OperationId last = kNoOperation;
    if (drawn[id].sort != Sort::kWake) sources.push_back(last = initial_write(drawn[id].location));
    for (OperationId other = 0; other < drawn.size(); ++other) {
      if (!writes(drawn[other].sort) || other == id) continue;
      if (drawn[id].sort != Sort::kWake && drawn[other].location != drawn[id].location) continue;
      sources.push_back(other);
      if (other < id) last = other;
    }
    const bool is_last = rarely_old > 0 && rng.below(5) != 0 && last != kNoOperation;
    if (is_last) maker.read_from(id, last);
    else if (!sources.empty()) maker.read_from(id, sources[static_cast<std::size_t>(rng.below(static_cast<int>(sources.size())))]);
  }
  if (rng.below(6) == 0) {  // an explicit modification order, of all locations
    for (int l = 0; l < locations; ++l) {
      std::vector<OperationId> here;
      for (OperationId id = 0; id < drawn.size(); ++id)
        if (writes(drawn[id].sort) && drawn[id].location == l) here.push_back(id);
      if (here.size() > 1 && rng.below(2) == 0) std::swap(here[0], here[static_cast<std::size_t>(rng.below(static_cast<int>(here.size())))]);
      for (std::size_t i = 0; i < here.size(); ++i) maker.set_mo_position(here[i], static_cast<int>(i) + 1);
    }
  }
  return maker.make();
}

namespace {

/// One place in the threads and what is in memory; by value, plainly.
class AllInterleavings {
 public:
  explicit AllInterleavings(const Operations& all) : all_(all), place_(static_cast<std::size_t>(all.threads), 0) {
    for (int l = 0; l < all.locations; ++l) memory_.push_back(initial_write(l));
  }
  bool any() {
    std::vector<std::int32_t> state = place_;
    state.insert(state.end(), memory_.begin(), memory_.end());
    if (!seen_.insert(state).second) return false;
    bool is_over = true;
    for (int t = 0; t < all_.threads; ++t) {
      const auto mine = all_.of_thread(t);
      const auto place = static_cast<std::size_t>(place_[static_cast<std::size_t>(t)]);
      if (place == mine.size()) continue;
      is_over = false;
      if (!is_possible(mine[place])) continue;
      const std::vector<OperationId> memory = memory_;
      ++place_[static_cast<std::size_t>(t)];
      if (writes(all_[mine[place]].sort)) memory_[static_cast<std::size_t>(all_[mine[place]].location)] = mine[place];
      if (any()) return true;
      --place_[static_cast<std::size_t>(t)];
      memory_ = memory;
    }
    return is_over;
  }

 private:
  bool is_done(OperationId id) const { return place_[static_cast<std::size_t>(all_[id].thread)] > all_[id].index; }
  bool is_possible(OperationId id) const {
    const Operation& operation = all_[id];
    for (OperationId other = 0; other < all_.size(); ++other) {
      if (all_[other].sort == Sort::kCreate && all_[other].other == operation.thread && !is_done(other)) return false;
      if (operation.sort == Sort::kJoin && all_[other].thread == operation.other && !is_done(other)) return false;
      const bool is_earlier = writes(operation.sort) && writes(all_[other].sort) && operation.location == all_[other].location && all_[other].mo_position < operation.mo_position;
      if (is_earlier && !is_done(other)) return false;
    }
    if (operation.sort == Sort::kWake && operation.source >= 0 && !is_done(operation.source)) return false;
    return !reads(operation.sort) || memory_[static_cast<std::size_t>(operation.location)] == operation.source;
  }

  const Operations& all_;
  std::vector<std::int32_t> place_;
  std::vector<OperationId> memory_;
  std::set<std::vector<std::int32_t>> seen_;
};

}  // namespace

bool has_interleaving(const Operations& operations) { return AllInterleavings(operations).any(); }

std::string check_interleaving(const Operations& operations, const std::vector<OperationId>& order) {
  const auto size = static_cast<std::size_t>(operations.size());
  std::vector<std::size_t> place(size, size);
  if (order.size() != size) return "not all operations are there";
  for (std::size_t i = 0; i < size; ++i) place[static_cast<std::size_t>(order[i])] = i;
  if (std::count(place.begin(), place.end(), size) > 0) return "an operation is missing";
  const auto at = [&](OperationId id) { return place[static_cast<std::size_t>(id)]; };
  std::vector<OperationId> memory;
  for (int l = 0; l < operations.locations; ++l) memory.push_back(initial_write(l));
  for (const OperationId id : order) {
    const Operation& operation = operations[id];
    for (OperationId other = 0; other < operations.size(); ++other) {
      const Operation& second = operations[other];
      const std::string names = std::to_string(id) + " and " + std::to_string(other);
      if (second.thread == operation.thread && second.index > operation.index && at(other) < at(id)) return "program order of " + names;
      if (operation.sort == Sort::kCreate && operation.other == second.thread && at(other) < at(id)) return "creation of " + names;
      if (operation.sort == Sort::kJoin && operation.other == second.thread && at(other) > at(id)) return "join of " + names;
      const bool both_write = writes(operation.sort) && writes(second.sort) && operation.location == second.location;
      if (both_write && operation.mo_position < second.mo_position && at(other) < at(id)) return "modification order of " + names;
    }
    if (operation.sort == Sort::kWake && operation.source >= 0 && at(operation.source) > at(id)) return "a wake before its write";
    if (reads(operation.sort) && memory[static_cast<std::size_t>(operation.location)] != operation.source) return std::to_string(id) + " reads another write";
    if (writes(operation.sort)) memory[static_cast<std::size_t>(operation.location)] = id;
  }
  return "";
}

namespace {

class CycleCheck {
 public:
  explicit CycleCheck(const Operations& all) : all_(all), before_(static_cast<std::size_t>(all.size()), std::vector<char>(static_cast<std::size_t>(all.size()), 0)) {
    for (OperationId a = 0; a < all.size(); ++a)
      for (OperationId b = 0; b < all.size(); ++b)
        if (is_given(a, b)) order(a, b);
  }
  std::string add(const ScEdge& edge) {
    if (edge.kind == ScEdgeKind::kAssumed) {
      if (!both_write(edge.from, edge.to)) return "an assumption that is not about two writes";
    } else if (edge.kind == ScEdgeKind::kMo) {
      const bool fits = edge.because >= 0 && reads(all_[edge.because].sort) && all_[edge.because].source == edge.to && both_write(edge.from, edge.to);
      if (!fits || edge.because == edge.from || !is_before(edge.from, edge.because)) return "mo without a reason";
    } else if (edge.kind == ScEdgeKind::kFr) {
      const bool fits = reads(all_[edge.from].sort) && all_[edge.from].source == edge.because && writes(all_[edge.to].sort) &&
                        all_[edge.to].location == all_[edge.from].location && edge.from != edge.to && edge.because != edge.to;
      if (!fits || (edge.because >= 0 && !is_before(edge.because, edge.to))) return "fr without a reason";
    } else {
      return "a reason that is none";
    }
    known_.push_back(edge);
    order(edge.from, edge.to);
    return "";
  }
  bool is_valid(const ScEdge& edge) const {
    if (std::find(known_.begin(), known_.end(), edge) != known_.end()) return true;
    const Operation &from = all_[edge.from], &to = all_[edge.to];
    switch (edge.kind) {
      case ScEdgeKind::kPo: return from.thread == to.thread && from.index < to.index;
      case ScEdgeKind::kCreate: return from.sort == Sort::kCreate && from.other == to.thread;
      case ScEdgeKind::kJoin: return to.sort == Sort::kJoin && to.other == from.thread;
      case ScEdgeKind::kRf: return reads(to.sort) && to.source == edge.from;
      case ScEdgeKind::kWake: return to.sort == Sort::kWake && to.source == edge.from;
      case ScEdgeKind::kMo: return edge.because == kNoOperation && both_write(edge.from, edge.to) && from.mo_position < to.mo_position;
      default: return false;
    }
  }

 private:
  bool both_write(OperationId a, OperationId b) const { return a != b && writes(all_[a].sort) && writes(all_[b].sort) && all_[a].location == all_[b].location; }
  bool is_given(OperationId a, OperationId b) const {
    for (const ScEdgeKind kind : {ScEdgeKind::kPo, ScEdgeKind::kCreate, ScEdgeKind::kJoin, ScEdgeKind::kRf, ScEdgeKind::kWake, ScEdgeKind::kMo})
      if (is_valid({a, b, kind})) return true;
    return false;
  }
  bool is_before(OperationId a, OperationId b) const { return before_[static_cast<std::size_t>(a)][static_cast<std::size_t>(b)] != 0; }
  void order(OperationId a, OperationId b) {
    for (OperationId c = 0; c < all_.size(); ++c)
      for (OperationId d = 0; d < all_.size(); ++d)
        if ((c == a || is_before(c, a)) && (d == b || is_before(b, d))) before_[static_cast<std::size_t>(c)][static_cast<std::size_t>(d)] = 1;
  }

  const Operations& all_;
  std::vector<std::vector<char>> before_;
  std::vector<ScEdge> known_;
};

}  // namespace

std::string check_cycle(const Operations& operations, const std::vector<ScEdge>& edges, const std::vector<ScEdge>& reasons) {
  if (edges.empty()) return "no cycle";
  CycleCheck check(operations);
  for (const ScEdge& reason : reasons)
    if (std::string wrong = check.add(reason); !wrong.empty()) return wrong;
  for (std::size_t i = 0; i < edges.size(); ++i) {
    if (edges[i].to != edges[(i + 1) % edges.size()].from) return "the edges are no cycle";
    if (!check.is_valid(edges[i])) return "edge " + std::to_string(i) + " is not valid";
  }
  return "";
}

std::string text_of(const Operations& operations) {
  std::ostringstream text;
  for (OperationId id = 0; id < operations.size(); ++id) {
    const Operation& operation = operations[id];
    constexpr const char* kNames[] = {"other", "read", "write", "update", "create", "join", "wake"};
    text << id << ": thread " << operation.thread << " " << kNames[static_cast<int>(operation.sort)] << " location " << operation.location << " source "
         << operation.source << " other " << operation.other << " mo " << operation.mo_position << "\n";
  }
  return text.str();
}

}  // namespace ordeal::analysis::testing
