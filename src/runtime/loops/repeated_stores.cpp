#include "runtime/loops/repeated_stores.h"

namespace ordeal::runtime {

using model::MemoryOrder;

bool RepeatedStores::put_stored(const Thread& thread, model::LocationId location, model::Value value,
                                MemoryOrder order) {
  NativeLocation& stored = locations_[location];
  const bool is_own = stored.written_by == thread.id && stored.written_as == order;
  const model::Value before = stored.held;
  note_write(thread, stored, order);
  locations_.put(location, value);
  const bool repeats = is_own && stored.held == before && !stored.has_several_writers && rounds_ < kMostRounds;
  stored.is_repeated |= repeats;
  stored.was_repeated |= repeats;
  return repeats;
}

void RepeatedStores::put_written(const Thread& thread, model::LocationId location, model::Value value) {
  note_write(thread, locations_[location], MemoryOrder::kPlain);
  locations_.put(location, value);
}

void RepeatedStores::note_write(const Thread& thread, NativeLocation& location, MemoryOrder order) {
  const bool is_same = location.written_by == thread.id;
  // Who goes round in vain is stopped, but would store once more.
  const bool is_ordered = location.written_by < 0 || is_same ||
                          (thread.hb[location.written_by] > location.written_at && !location.is_repeated);
  location.is_repeated &= is_same;
  location.written_by = thread.id;
  location.written_at = thread.hb[thread.id] - 1;
  location.written_as = order;
  locations_.note_written(location);
  if (is_ordered || location.has_several_writers) return;
  location.has_several_writers = true;
  if (!location.was_repeated) return;
  must_begin_anew_ = true;
  ++rounds_;
}

}  // namespace ordeal::runtime
