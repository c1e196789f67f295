// Stores that nobody can read any more are dropped (C11Tester, section 7.1). They are the beginning of modification order, below
// the lowest floor of the threads that are alive. A thread that is blocked reads nothing before it has learnt something: who waits
// for the end of another thread, what that one knows now; who waits for a lock, what its last owner published.
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
  Thread& knower = at(thread);
  for (std::size_t u = 0; u < static_cast<std::size_t>(width_); ++u) into[u] = std::max(into[u], knower.knows[u]);
  if (knower.waits_at >= 0) {
    const Published& held = stores_[locations_[static_cast<std::size_t>(knower.waits_at)].last].published;
    if (held.row != nullptr) {
      for (std::size_t u = 0; u < std::min<std::size_t>(held.row->width, static_cast<std::size_t>(width_)); ++u) into[u] = std::max(into[u], held.row->ticks()[u]);
      Tick& of_owner = into[static_cast<std::size_t>(held.thread)];
      of_owner = std::max(of_owner, held.tick);
    }
  }
  if (knower.waits_for >= 0 && depth < kMostWaits) effective_knowledge(knower.waits_for, into, depth + 1);
}

void Memory::prune(Location& location) {
  Label lowest = std::numeric_limits<Label>::max();
  std::vector<Tick> known(static_cast<std::size_t>(width_)), least(static_cast<std::size_t>(width_), std::numeric_limits<Tick>::max());
  for (int t = 0; t < width_; ++t) {
    if (!at(t).is_live) continue;
    std::fill(known.begin(), known.end(), 0);
    effective_knowledge(t, known);
    Label floor = static_cast<std::uint32_t>(t) < location.threads ? location.accesses[static_cast<std::size_t>(t)].floor : 0;
    for (std::uint32_t u = 0; u < location.threads; ++u) {
      if (static_cast<int>(u) == t) continue;
      least[u] = std::min(least[u], known[u]);
      floor = std::max(floor, mark_at(location.accesses[u].marks, known[u]));
    }
    lowest = std::min(lowest, floor);
  }
  drop_until(location, lowest);
  for (std::uint32_t u = 0; u < location.threads; ++u) {
    std::vector<Mark>& marks = location.accesses[u].marks;
    // Whoever asks gets at least the last one that all know.
    const auto behind = std::upper_bound(marks.begin(), marks.end(), least[u], [](Tick bound, const Mark& mark) { return bound < mark.tick; });
    if (behind - marks.begin() > 1) marks.erase(marks.begin(), behind - 1);
  }
  std::uint64_t oldest_fence = std::numeric_limits<std::uint64_t>::max();
  for (int t = 0; t < width_; ++t)
    if (at(t).is_live) oldest_fence = std::min(oldest_fence, at(t).fence_time);
  std::vector<ScMark>& sc = location.sc_marks;
  const auto behind = std::upper_bound(sc.begin(), sc.end(), oldest_fence, [](std::uint64_t bound, const ScMark& mark) { return bound < mark.time; });
  if (behind - sc.begin() > 1) sc.erase(sc.begin(), behind - 1);
  if (location.count > window_) {
    window_was_used_ = true;
    StoreId at = location.first;
    for (std::uint32_t i = location.count; i > window_ / 2; --i) at = stores_[at].next;
    drop_until(location, stores_[at].label);
  }
  location.prune_at = std::max<std::uint32_t>(64, std::min(location.count * 2, window_)) + 8 * static_cast<std::uint32_t>(width_);
}

/// Drops the stores below the bound, but not the last one.
void Memory::drop_until(Location& location, Label bound) {
  StoreId at = location.first;
  while (at != location.last && stores_[at].label < bound) {
    const StoreId next = stores_[at].next;
    if (const std::int32_t thread = stores_[at].thread; thread >= 0 && !location.keeps_last_only) {
      Accesses& theirs = location.accesses[static_cast<std::size_t>(thread)];
      ++theirs.first;  // the oldest of its list
      if (theirs.first > 32 && theirs.first * 2 > theirs.stores.size()) {
        theirs.stores.erase(theirs.stores.begin(), theirs.stores.begin() + theirs.first);
        theirs.first = 0;
      }
    }
    free_store(at);
    --location.count;
    at = next;
  }
  location.first = at;
  stores_[at].previous = kNoStore;
}

}  // namespace ordeal::sample
