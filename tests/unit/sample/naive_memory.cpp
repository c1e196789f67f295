#include "tests/unit/sample/naive_memory.h"

#include <algorithm>

namespace ordeal::sample::testing {

using model::acquires;
using model::releases;

NaiveMemory::NaiveMemory(int locations) : locations_(locations) {
  for (int l = 0; l < locations; ++l) {
    Event initial;
    initial.location = l;
    initial.writes = true;
    events_.push_back(initial);
    mo_.push_back({l});
  }
}

NaiveMemory::Thread& NaiveMemory::thread(int number) { return threads_[static_cast<std::size_t>(incarnation(number))]; }

int NaiveMemory::place(int write) const {
  const auto& order = mo_[static_cast<std::size_t>(at(write).location)];
  return static_cast<int>(std::find(order.begin(), order.end(), write) - order.begin());
}

int NaiveMemory::position(int access) const { return place(at(access).writes ? access : at(access).source); }

/// The event, and all that happens before it.
void NaiveMemory::learn(std::vector<char>& before, int event) const {
  before.resize(std::max(before.size(), static_cast<std::size_t>(event) + 1), 0);
  for (std::size_t e = 0; e < at(event).before.size(); ++e) before[e] |= at(event).before[e];
  before[static_cast<std::size_t>(event)] = 1;
}

/// [atomics.order]p2, [atomics.fences]p2–p4, for a read that acquires, or one before an acquire fence. The release sequence
/// ([intro.races]p5) goes back through RMWs.
void NaiveMemory::synchronise(std::vector<char>& before, int read) const {
  for (int write = at(read).source; write >= locations_; write = at(write).source) {
    if (releases(at(write).order)) learn(before, write);
    for (const int earlier : threads_[static_cast<std::size_t>(at(write).thread)].events)
      if (earlier < write && at(earlier).is_fence && releases(at(earlier).order)) learn(before, earlier);
    if (!at(write).reads) break;
  }
}

int NaiveMemory::append(Event event) {
  const int number = static_cast<int>(events_.size());
  Thread& own = threads_[static_cast<std::size_t>(event.thread)];
  event.before = own.before;
  events_.push_back(event);
  std::vector<char> before = own.before;
  if (event.reads && acquires(event.order)) synchronise(before, number);
  if (event.is_fence && acquires(event.order))
    for (const int earlier : own.events)
      if (at(earlier).reads) synchronise(before, earlier);
  events_.back().before = before;
  learn(before, number);
  own.before = before;
  own.events.push_back(number);
  return number;
}

int NaiveMemory::read(int thread, int location, int source, MemoryOrder order) {
  Event event;
  event.thread = incarnation(thread);
  event.location = location;
  event.order = order;
  event.reads = true;
  event.source = source;
  return append(event);
}

int NaiveMemory::write(int thread, int location, int after, MemoryOrder order) {
  Event event;
  event.thread = incarnation(thread);
  event.location = location;
  event.order = order;
  event.writes = true;
  const int number = append(event);
  auto& mo = mo_[static_cast<std::size_t>(location)];
  mo.insert(std::find(mo.begin(), mo.end(), after) + 1, number);
  return number;
}

int NaiveMemory::rmw(int thread, int location, int source, MemoryOrder order) {
  Event event;
  event.thread = incarnation(thread);
  event.location = location;
  event.order = order;
  event.reads = event.writes = true;
  event.source = source;
  const int number = append(event);
  events_[static_cast<std::size_t>(source)].is_taken = true;
  auto& mo = mo_[static_cast<std::size_t>(location)];
  mo.insert(std::find(mo.begin(), mo.end(), source) + 1, number);
  return number;
}

int NaiveMemory::fence(int thread, MemoryOrder order) {
  Event event;
  event.thread = incarnation(thread);
  event.order = order;
  event.is_fence = true;
  return append(event);
}

void NaiveMemory::create(int parent, int child) {
  if (static_cast<std::size_t>(child) >= incarnations_.size()) incarnations_.resize(static_cast<std::size_t>(child) + 1, 0);
  const std::vector<char> before = thread(parent).before;
  incarnations_[static_cast<std::size_t>(child)] = static_cast<int>(threads_.size());
  threads_.push_back({{}, before});
}

void NaiveMemory::join(int joiner, int other) {
  for (std::size_t e = 0; e < thread(other).before.size(); ++e)
    if (thread(other).before[e] != 0) learn(thread(joiner).before, static_cast<int>(e));
}

/// [atomics.order]p4 for the next event, which would be coherence-ordered before `later`, an event of the past: S has them the other
/// way round.
bool NaiveMemory::seq_cst_forbids(int later, bool is_sc, const std::vector<char>& before) const {
  const auto is_sc_fence = [&](int e) { return at(e).is_fence && at(e).order == MemoryOrder::kSeqCst; };
  const bool later_is_sc = at(later).order == MemoryOrder::kSeqCst;
  if (is_sc && later_is_sc) return true;  // p4.1
  for (int x = 0; x < static_cast<int>(events_.size()); ++x) {
    if (!is_sc_fence(x)) continue;
    if (is_sc && is_before(later, at(x).before)) return true;  // p4.2
    if (!is_before(x, before)) continue;
    if (later_is_sc && later < x) return true;  // p4.3
    for (int y = 0; y < x; ++y)
      if (is_sc_fence(y) && is_before(later, at(y).before)) return true;  // p4.4
  }
  return false;
}

bool NaiveMemory::allows(int number, int location, int source, MemoryOrder order) const {
  const std::vector<char>& before = threads_[static_cast<std::size_t>(incarnation(number))].before;
  const int here = place(source);
  for (int e = locations_; e < static_cast<int>(events_.size()); ++e) {
    if (at(e).location != location || position(e) <= here) continue;
    if (is_before(e, before) || seq_cst_forbids(e, order == MemoryOrder::kSeqCst, before)) return false;
  }
  return true;
}

}  // namespace ordeal::sample::testing
