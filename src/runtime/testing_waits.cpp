// Waits of random testing for an atomic object to change, [atomics.wait].
//
// A wait that finds the old value stands still until a notification reaches it: a notify_all, or a notify_one that chooses it. Those of whose
// value nothing has changed are not among whom a notification chooses: they would only go back to waiting. It may also go on without, as the
// standard allows: then it waits for the value only.
#include <algorithm>

#include "runtime/signals.h"
#include "runtime/sync.h"
#include "runtime/test_recorder.h"
#include "runtime/testing.h"
#include "runtime/watchdog.h"

namespace ordeal::runtime {

using engine::OperationKind;
using model::MemoryOrder;
using sample::StepKind;

std::vector<Testing::Standing> Testing::standing_;

namespace {

bool is_same(model::Value one, model::Value other, unsigned size) {
  return size >= 8 ? one == other : ((one ^ other) & ((model::Value{1} << size * 8) - 1)) == 0;
}

}  // namespace

bool Testing::has_changed(const Standing& standing) {
  return !is_same(NativeProgram::instance->location_table().load(standing.address, standing.size), standing.old, standing.size);
}

void Testing::wait(const Cell& cell, model::Value old, MemoryOrder order) {
  const bool ends_without_reason = is_alone_ || (explore_spurious && sampler_.answer(sample::Question::kWakesSpuriously, 2) == 1);
  if (!ends_without_reason) stand_still(cell, old, order);
  await(cell, old, order);
}

/// If it sees the old value.
void Testing::stand_still(const Cell& cell, model::Value old, MemoryOrder order) {
  Thread& thread = self();
  arrive(thread, StepKind::kSync);
  require_live_object(cell, false);
  RaceShadow::Atomic& atomic = object_at(cell);
  if (!is_same(sampler_.memory().last(atomic.location).value, old, cell.size)) return;
  RaceShadow::note_atomic(atomic, false, cell.site);
  if (is_watched_) [[unlikely]] look_for_watched(cell.address, cell.size, false, true, cell.site);
  const sample::StoreId from = sampler_.load_newest(thread.id, atomic.location, order);
  if (TestRecorder::is_on) [[unlikely]] TestRecorder::read({thread.id, atomic.location, order, cell.site}, sampler_.memory().store(from));
  check_initialised(atomic, from, cell);
  thread.operation.kind = OperationKind::kAwait;
  thread.operation.access = {};
  thread.operation.access.location = NativeProgram::instance->location_table().at(cell.address, cell.size, LocationSort::kMemory);
  thread.site = cell.site;
  standing_.push_back({thread.id, cell.address, cell.size, old});
  // A signal wakes it, too, but does not end the wait.
  const auto stands = [&] { return std::any_of(standing_.begin(), standing_.end(), [&](const Standing& standing) { return standing.thread == thread.id; }); };
  do {
    if (!Signals::must_look()) {
      sampler_.block_until_end(thread.id, sample::Sampler::kNobody);
      sampler_.choose_other(thread.id);
      leave(thread);
      done(thread);
    }
    Watchdog::stop_if_wanted();
  } while (stands());
}

void Testing::notify(std::uintptr_t address, bool all) {
  const auto is_reached = [&](const Standing& standing) { return standing.address == address && has_changed(standing); };
  auto count = static_cast<std::uint32_t>(std::count_if(standing_.begin(), standing_.end(), is_reached));
  for (std::uint32_t rest = all ? count : std::min(count, 1u); rest > 0; --rest, --count) {
    std::uint32_t chosen = count > rest ? who_wakes(count) : 0;
    const auto at = std::find_if(standing_.begin(), standing_.end(), [&](const Standing& standing) { return is_reached(standing) && chosen-- == 0; });
    sampler_.wake(at->thread);
    standing_.erase(at);
    in_vain_ = 0;
    for (Standing& other : standing_) other.is_passed_over |= is_reached(other);
  }
}

Testing::Lost Testing::why_lost(int thread) {
  for (const Standing& standing : standing_)
    if (standing.thread == thread && has_changed(standing)) return standing.is_passed_over ? Lost::kPassedOver : Lost::kUnnotified;
  return Lost::kNo;
}

}  // namespace ordeal::runtime
