#include "axioms.h"

#include <bitset>
#include <cstdlib>
#include <map>

namespace {

constexpr std::size_t kMostEvents = 128;
using Relation = std::vector<std::bitset<kMostEvents>>;

void close(Relation& relation) {
  for (std::size_t via = 0; via < relation.size(); ++via)
    for (auto& row : relation)
      if (row[via]) row |= relation[via];
}

bool is_irreflexive(const Relation& relation) {
  for (std::size_t i = 0; i < relation.size(); ++i)
    if (relation[i][i]) return false;
  return true;
}

Relation compose(const Relation& first, const Relation& second) {
  Relation result(first.size());
  for (std::size_t i = 0; i < first.size(); ++i)
    for (std::size_t j = 0; j < first.size(); ++j)
      if (first[i][j]) result[i] |= second[j];
  return result;
}

class Graph {
 public:
  Graph(const std::vector<Event>& events, const std::vector<std::vector<int>>& threads)
      : events_(events),
        size_(static_cast<int>(events.size())),
        po_(events.size()),
        sw_(events.size()),
        rank_(events.size()) {
    if (events.size() > kMostEvents) std::abort();
    for (const auto& thread : threads)
      for (std::size_t i = 0; i < thread.size(); ++i)
        for (std::size_t j = i + 1; j < thread.size(); ++j) po_[thread[i]].set(thread[j]);
    for (int i = 0; i < size_; ++i) {
      if (events_[i].kind == Kind::kCreate)
        for (int event : threads[events_[i].other]) sw_[i].set(event);
      if (events_[i].kind == Kind::kJoin)
        for (int event : threads[events_[i].other]) sw_[event].set(i);
      if (events_[i].reads()) synchronise(i);
      if (events_[i].writes()) writes_[events_[i].location].push_back(i);
      has_sc_ |= events_[i].order == sc;
    }
    hb_ = po_;
    for (int i = 0; i < size_; ++i) hb_[i] |= sw_[i];
    close(hb_);
  }

  bool is_consistent() {
    if (!is_irreflexive(hb_)) return false;
    return orders_from(writes_.begin());
  }

 private:
  using Location = std::map<int, std::vector<int>>::iterator;

  // What `read` reads belongs to the release sequences of the writes that RMWs lead back to ([intro.races]p5).
  void synchronise(int read) {
    for (int write = events_[read].rf; write >= 0; write = events_[write].kind == Kind::kRmw ? events_[write].rf : -1)
      for (int from = 0; from < size_; ++from) {
        const Event& release = events_[from];
        if (!release.releases() || !(from == write || (release.is_fence() && po_[from][write]))) continue;
        for (int to = 0; to < size_; ++to) {
          const Event& acquire = events_[to];
          if (acquire.acquires() && (to == read || (acquire.is_fence() && po_[read][to]))) sw_[from].set(to);
        }
      }
  }

  // Tries all modification orders of this location and those behind it.
  bool orders_from(Location location) {
    if (location == writes_.end()) return !has_sc_ || is_psc_acyclic();
    std::vector<bool> placed(location->second.size());
    return place(location, placed, 0, -1);
  }
  bool place(Location location, std::vector<bool>& placed, std::size_t count, int last) {
    const std::vector<int>& writes = location->second;
    if (count == writes.size()) return is_coherent(location->first) && orders_from(std::next(location));
    for (std::size_t i = 0; i < writes.size(); ++i) {
      if (placed[i]) continue;
      if (events_[writes[i]].kind == Kind::kRmw && events_[writes[i]].rf != last) continue;  // [atomics.order]p10
      placed[i] = true;
      rank_[writes[i]] = static_cast<int>(count);
      if (place(location, placed, count + 1, writes[i])) return true;
      placed[i] = false;
    }
    return false;
  }

  // Where an event stands in modification order: a write itself, a read with what it reads.
  int rank(int event) const {
    const Event& e = events_[event];
    return e.writes() ? rank_[event] : e.rf < 0 ? -1 : rank_[e.rf];
  }
  // Coherence-ordered before: the closure of rf, mo and fr.
  bool eco(int a, int b) const {
    if (a == b || events_[a].location < 0 || events_[a].location != events_[b].location) return false;
    return rank(a) < rank(b) || (rank(a) == rank(b) && events_[a].writes() && !events_[b].writes());
  }

  // No event comes coherence-ordered before one that happens before it ([intro.races]p15–18).
  bool is_coherent(int location) const {
    for (int a = 0; a < size_; ++a) {
      if (events_[a].location != location) continue;
      for (int b = 0; b < size_; ++b)
        if (hb_[a][b] && events_[b].location == location && eco(b, a)) return false;
    }
    return true;
  }

  // [atomics.order]p4: there is a total order of the seq_cst events.
  bool is_psc_acyclic() const {
    Relation strongly = compose(compose(po_, hb_), po_), before(size_), left(size_), right(size_);
    for (int a = 0; a < size_; ++a) {
      strongly[a] |= po_[a];
      for (int b = 0; b < size_; ++b) {
        if (is_sc(a) && is_sc(b) && sw_[a][b]) strongly[a].set(b);
        if (eco(a, b)) before[a].set(b);
        if ((a == b && is_sc(a)) || (is_sc_fence(a) && hb_[a][b])) left[a].set(b);
        if ((a == b && is_sc(a)) || (is_sc_fence(b) && hb_[a][b])) right[a].set(b);
      }
    }
    close(strongly);
    Relation psc = compose(compose(left, before), right);
    for (int a = 0; a < size_; ++a)
      for (int b = 0; b < size_; ++b)
        if (is_sc(a) && is_sc(b) && strongly[a][b]) psc[a].set(b);
    close(psc);
    return is_irreflexive(psc);
  }
  bool is_sc(int event) const { return events_[event].order == sc; }
  bool is_sc_fence(int event) const { return is_sc(event) && events_[event].is_fence(); }

  const std::vector<Event>& events_;
  int size_;
  Relation po_, sw_, hb_;
  std::map<int, std::vector<int>> writes_;  // by location
  std::vector<int> rank_;                   // of a write in modification order
  bool has_sc_ = false;
};

}  // namespace

bool is_consistent(const std::vector<Event>& events, const std::vector<std::vector<int>>& threads) {
  return Graph(events, threads).is_consistent();
}
