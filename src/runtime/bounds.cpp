#include "runtime/bounds.h"

#include <algorithm>

#include "runtime/thread.h"

namespace ordeal::runtime {
namespace {

struct Bound {
  std::uint64_t most = 0;  // 0: none
  bool was_reached = false;

  bool is_exceeded_by(std::uint64_t count) {
    const bool is_exceeded = most != 0 && count > most;
    was_reached |= is_exceeded;
    return is_exceeded;
  }
};

Bound loop, reread, fair;

PlaceHistory& history_of(Thread& thread, std::uintptr_t site) {
  const auto found = std::find_if(thread.places.begin(), thread.places.end(), [&](const PlaceHistory& place) { return place.site == site; });
  if (found != thread.places.end()) return *found;
  thread.places.push_back({site});
  return thread.places.back();
}

}  // namespace

bool Bounds::any_ = false;

void Bounds::set(std::uint64_t loop_bound, std::uint64_t reread_bound, bool is_fair) {
  loop = {loop_bound};
  reread = {reread_bound};
  fair = {is_fair ? std::uint64_t{1} : 0};
  any_ = loop_bound != 0 || reread_bound != 0 || is_fair;
}

bool Bounds::are_reached(Thread& thread, std::uintptr_t site, const engine::Result& result) {
  PlaceHistory& place = history_of(thread, site);
  const bool yielded = place.yields != thread.yields;
  place.yields = thread.yields;
  if (loop.is_exceeded_by(++place.visits)) return true;
  if (result.source < 0) return false;
  const bool again = result.source == place.source && result.has_later;
  place.source = result.source;
  place.rereads = again ? place.rereads + 1 : 0;
  return reread.is_exceeded_by(place.rereads) || fair.is_exceeded_by(again && yielded ? 2 : 0);
}

std::vector<std::string> Bounds::reached() {
  std::vector<std::string> names;
  if (loop.was_reached) names.push_back("--loop-bound " + std::to_string(loop.most));
  if (reread.was_reached) names.push_back("--reread-bound " + std::to_string(reread.most));
  if (fair.was_reached) names.push_back("--fair");
  return names;
}

}  // namespace ordeal::runtime
