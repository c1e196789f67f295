#include "runtime/loops/take_over.h"

#include "runtime/loops/code_paths.h"
#include "runtime/loops/rules.h"
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

}  // namespace ordeal::runtime
