// Stores that nobody can read any more are dropped (C11Tester, section 7.1). They are the beginning of modification order, below
// the lowest floor of the threads that are alive. A thread that is blocked reads nothing before it has learnt something: who waits
// for the end of another thread, what that one knows now; who waits for a lock, what its last owner published.
//
// A floor at the first store that is left, or below it, is no floor. So marks up to there go, too.
//
// A location is looked at when it has twice the stores that were left the last time, so it costs little on the average. Beyond
// the window the oldest go all the same, and that is told.
#include <algorithm>
#include <limits>

#include "sample/memory.h"

namespace ordeal::sample {

namespace {

constexpr int kMostWaits = 16;  // who waits for whom for whom …: beyond that, less is pruned

}  // namespace

/// What the thread will know at least when it goes on.
void Memory::effective_knowledge(int thread, std::vector<Tick>& into, int depth) {
  const Thread& knower = at(thread);
  for (std::size_t u = 0; u < into.size(); ++u) into[u] = std::max(into[u], knower.knows[u]);
  if (knower.waits_at >= 0) {
    const Published& held = last(static_cast<LocationId>(knower.waits_at)).published;
    if (held.row != nullptr) {
      for (std::size_t u = 0; u < into.size(); ++u) into[u] = std::max(into[u], held.row->at(static_cast<int>(u)));
      Tick& of_owner = into[static_cast<std::size_t>(held.thread)];
      of_owner = std::max(of_owner, held.tick);
    }
  }
  if (knower.waits_for >= 0 && depth < kMostWaits) effective_knowledge(knower.waits_for, into, depth + 1);
}

/// No thread, now or later, has a lower one: who is created later knows what its creator knows.
Label Memory::lowest_floor(const Location& location) {
  Label lowest = std::numeric_limits<Label>::max();
  std::vector<Tick> known;
  for (int t = 0; t < width_; ++t) {
    const Thread& thread = at(t);
    if (!thread.is_live) continue;
    Label floor = static_cast<std::uint32_t>(t) < location.threads ? location.accesses[static_cast<std::size_t>(t)].floor : 0;
    floor = compute_floor(t, location, floor);
    if (thread.waits_for >= 0 || thread.waits_at >= 0) {
      known.assign(static_cast<std::size_t>(width_), 0);
      effective_knowledge(t, known);
      for (std::uint32_t u = 0; u < location.threads; ++u) floor = std::max(floor, mark_at(location.accesses[u].marks, known[u]));
    }
    lowest = std::min(lowest, floor);
  }
  return lowest;
}

void Memory::prune(Location& location) {
  if (pruning_ != Pruning::kNever) drop_until(location, lowest_floor(location));
  if (location.count > window_) use_window(location);
  location.prune_at = std::max(kPruneAt, std::min(location.count * 2, window_)) + 8 * static_cast<std::uint32_t>(width_);
}

void Memory::use_window(Location& location) {
  window_was_used_ = true;
  StoreId bound = location.first;
  for (std::uint32_t i = location.count; i > window_ / 2 + 1; --i) bound = stores_[bound].next;
  drop_until(location, stores_[bound].label);
}

/// Drops the stores below the bound, but not the last one.
void Memory::drop_until(Location& location, Label bound) {
  StoreId first = location.first;
  while (first != location.last && stores_[first].label < bound) first = stores_[first].next;
  if (first == location.first) return;
  bound = stores_[first].label;
  for (std::uint32_t t = 0; t < location.threads; ++t) {
    Accesses& theirs = location.accesses[t];
    const auto is_below = [&](StoreId store) { return stores_[store].label < bound; };
    theirs.stores.erase(theirs.stores.begin(), std::partition_point(theirs.stores.begin(), theirs.stores.end(), is_below));
    const auto is_no_floor = [&](const Mark& mark) { return stores_[mark.store].label <= bound; };
    theirs.marks.erase(theirs.marks.begin(), std::partition_point(theirs.marks.begin(), theirs.marks.end(), is_no_floor));
  }
  const auto is_no_floor = [&](const ScMark& mark) { return stores_[mark.store].label <= bound; };
  location.sc_marks.erase(location.sc_marks.begin(), std::partition_point(location.sc_marks.begin(), location.sc_marks.end(), is_no_floor));
  while (location.first != first) drop_first(location);
}

void Memory::drop_first(Location& location) {
  const StoreId gone = location.first;
  location.first = stores_[gone].next;
  rows_.let_go(stores_[gone].published.row);
  stores_.free(gone);
  --location.count;
  if (!stores_[gone].is_taken) --location.free;
}

}  // namespace ordeal::sample
