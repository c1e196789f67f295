#include "runtime/loops/take_over.h"

#include <algorithm>

#include "runtime/loops/code_paths.h"
#include "runtime/loops/rules.h"
#include "runtime/loops/speculation.h"
#include "runtime/native_program.h"

namespace ordeal::runtime {

OrderRefuses why_refused(const Call& r, const Call& c) {
  using model::MemoryOrder;
  const MemoryOrder earlier = order_of_read(r), later = order_of_read(c);
  if (acquires(earlier) && !acquires(later)) return OrderRefuses::kAcquire;
  if (earlier == MemoryOrder::kSeqCst && later != MemoryOrder::kSeqCst) return OrderRefuses::kSeqCst;
  const bool is_barrier_lost = failing_is_barrier && r.kind != Call::Kind::kLoad && c.kind != Call::Kind::kCompareExchange;
  return is_barrier_lost ? OrderRefuses::kBarrier : OrderRefuses::kNothing;
}

bool may_be_asked(const Thread& thread, const Step& from) {
  const bool is_made = NativeProgram::instance->vain_turns().are_made(thread.id, from.call.site);
  return from.call.size <= 8 && from.call.kind != Call::Kind::kSync && !is_made && CodePaths::are_seen(from.call.site);
}

bool may_take_place(const Step& r, const Step& c, const Outcome& outcome, bool gives_back) {
  if (!r.has_outcome || (r.effects != c.effects && !gives_back) || r.call.address != c.call.address || r.call.size != c.call.size || r.holds != c.holds) return false;
  if (is_same_operation(r.call, c.call) && !c.failed_spuriously) return true;
  return is_read_only(c.call, outcome) && is_read_only(r.call, outcome_with(r.call, outcome.value)) && why_refused(r.call, c.call) == OrderRefuses::kNothing;
}

bool has_only_read(const LoopTrace& trace, const Step& first, const Step& now) {
  const bool is_same_time = first.time == now.time && first.looks == trace.looks;
  const bool is_without_locks = first.locks == trace.locks && first.tries == trace.tries && first.holds == now.holds;
  return first.has_outcome && first.effects == trace.effects && first.writes == trace.writes.size() && first.repetitions == trace.repetitions && is_same_time && is_without_locks;
}

bool leads_somewhere(const Thread& thread, const Step& from, const Outcome& outcome, std::span<const Step> then) {
  const LoopTrace& trace = thread.spin;
  const auto first = std::find_if(trace.steps.begin(), trace.steps.begin() + trace.count, [&](const Step& step) { return step.effects == from.effects; });
  return may_be_asked(thread, from) && Speculation::run(thread, from, outcome, then) && Speculation::accessed_nothing() && Speculation::accessed_no_new_stack(thread, first->first_event);
}

}  // namespace ordeal::runtime
