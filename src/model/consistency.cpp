#include "model/consistency.h"

#include <array>
#include <bit>

namespace ordeal::model {
namespace {

constexpr Axiom kCoherence{"coherence", "coherence.h", "[intro.races]p13-p17"};
constexpr Axiom kAtomicity{"atomicity", "atomicity.h", "[atomics.order]p10"};
constexpr Axiom kSeqCst{"seq_cst", "seq_cst.h", "[atomics.order]p3-p6"};
constexpr Axiom kSeqCstRc11{"seq_cst", "seq_cst.h", "Lahav et al. 2017, psc_base and psc_fence"};
constexpr Axiom kNoThinAir{"no thin air", "thin_air.h", "[atomics.order]p8"};
constexpr Axiom kSc{"sc", "interleaving.h", "Lamport 1979"};
constexpr Axiom kTso{"tso", "interleaving.h", "Burckhardt, Musuvathi 2008, definition 3"};

constexpr std::array kCpp20Axioms{kCoherence, kAtomicity, kSeqCst, kNoThinAir};
constexpr std::array kRc11Axioms{kCoherence, kAtomicity, kSeqCstRc11, kNoThinAir};
constexpr std::array kScAxioms{kSc, kNoThinAir};
constexpr std::array kTsoAxioms{kTso, kNoThinAir};

}  // namespace

std::span<const Axiom> axioms(Model model) {
  switch (model) {
    case Model::kCpp20: return kCpp20Axioms;
    case Model::kRc11: return kRc11Axioms;
    case Model::kSc: return kScAxioms;
    case Model::kTso: return kTsoAxioms;
  }
  return {};
}

std::string_view name_of(Model model) {
  constexpr std::array<std::string_view, 4> kNames{"cpp20", "rc11", "sc", "tso"};
  return kNames[static_cast<std::size_t>(model)];
}

Consistency::Consistency(Model model)
    : model_(model),
      seq_cst_(model == Model::kRc11 ? SeqCstRules::kRc11 : SeqCstRules::kCpp20),
      interleaving_(model == Model::kTso ? Interleaving::Rules::kTso : Interleaving::Rules::kSc) {}

void Consistency::sources(const ExecutionGraph& graph, const Access& access, std::vector<Slot>& out) {
  any_source(graph, access, [&](Slot write) {
    out.push_back(write);
    return false;
  });
}

bool Consistency::has_rmw_behind(const ExecutionGraph& graph, Slot write) {
  for (Slot at = graph.last_write(graph.event(write).location); at != kNone; at = graph.event(at).previous_at_location)
    if (graph.event(at).is_rmw && graph.event(at).rf == write) return true;
  return false;
}

int Consistency::variants(const Access& access, Value read) {
  if (access.function == RmwFunction::kClearOne) return read == 0 ? 1 : std::popcount(static_cast<std::uint64_t>(read));
  return access.is_weak && writes_after_reading(access, read) ? 2 : 1;
}

namespace {

/// The number of the n-th bit that is set.
std::int8_t set_bit(Value value, int n) {
  auto rest = static_cast<std::uint64_t>(value);
  for (; n > 0; --n) rest &= rest - 1;
  return static_cast<std::int8_t>(std::countr_zero(rest));
}

}  // namespace

Event Consistency::make_read(const ExecutionGraph& graph, const Access& access, Slot source, int variant) {
  Event read;
  read.access = access;
  read.kind = EventKind::kRead;
  read.thread = access.thread;
  read.location = access.location;
  read.rf = source;
  read.value = graph.event(source).value;
  read.failed_spuriously = may_fail(access) && variant != 0;
  read.is_rmw = !read.failed_spuriously && writes_after_reading(access, read.value);
  if (access.function == RmwFunction::kClearOne && read.is_rmw) read.woken = set_bit(read.value, variant);
  const bool failed = may_fail(access) && !read.is_rmw;
  read.order = failed ? access.failure_order : access.order;
  return read;
}

Event Consistency::make_write(const Access& access) {
  Event write;
  write.access = access;
  write.kind = EventKind::kWrite;
  write.order = access.order;
  write.thread = access.thread;
  write.location = access.location;
  write.value = converted(access, access.operand);
  return write;
}

Event Consistency::make_rmw_write(const Event& read) {
  Event write = make_write(read.access);
  write.is_rmw = true;
  write.rf = read.rf;
  write.value = value_written(read.access, read.value);
  if (read.woken >= 0) write.value = static_cast<Value>(static_cast<std::uint64_t>(read.value) & ~(std::uint64_t{1} << read.woken));
  return write;
}

Event Consistency::make_wake(const ExecutionGraph& graph, const Access& access, Slot waker) {
  Event wake = make_attempt(access, waker);
  wake.kind = EventKind::kWake;
  wake.order = access.order;
  wake.value = graph.event(waker).value;
  return wake;
}

Event Consistency::make_attempt(const Access& access, Slot before) {
  Event attempt;
  attempt.access = access;
  attempt.kind = EventKind::kAttempt;
  attempt.thread = access.thread;
  attempt.location = access.location;
  attempt.rf = before;
  return attempt;
}

bool Consistency::place_write(ExecutionGraph& graph) {
  const Slot slot = graph.last();
  Event& write = graph.event(slot);
  if (!write.is_rmw) {
    start_chain(graph, slot, floors_.data(), floors_.size());
  } else {
    if (!may_be_built_upon(graph, write.rf)) return false;
    extend_chain(graph, slot);
  }
  write.is_behind_all = is_last_chain(graph, write.chain_head);
  return true;
}

namespace {

/// Whether `write` is forced behind all other writes of its location.
bool is_last(const ExecutionGraph& graph, Slot write) {
  const Slot chain = graph.event(write).chain_head;
  return graph.event(chain).chain_tail == write && is_last_chain(graph, chain);
}

}  // namespace

/// Whether the event on top can take part in a cycle of psc: it is seq_cst, or behind a seq_cst fence, or it forced an
/// order between writes (then the trail has grown), at a location that psc looks at. An access at the end of modification
/// order comes before nothing.
bool Consistency::touches_seq_cst(const ExecutionGraph& graph) const {
  if (graph.seq_cst_events().size() < 2) return false;
  const Event& top = graph.event(graph.last());
  const bool forced_order = top.kind == EventKind::kRead && graph.mark() != top.trail_mark;
  if (!forced_order && is_last(graph, top.kind == EventKind::kRead ? top.rf : graph.last())) return false;
  if (graph.seq_cst_fences() == 0) {
    if (graph.seq_cst_accesses_at(top.location) < 2) return false;
    return is_seq_cst(top) || graph.mark() != top.trail_mark;
  }
  if (is_seq_cst(top) || graph.mark() != top.trail_mark) return true;
  for (const Slot node : graph.seq_cst_events())
    if (graph.event(node).kind == EventKind::kFence && graph.happens_before(node, graph.last())) return true;
  return false;
}

bool Consistency::seq_cst_holds(ExecutionGraph& graph) {
  if (!touches_seq_cst(graph) || seq_cst_.extends_witness(graph)) return true;
  if (SeqCst::contradicts_known_relation(graph)) return false;
  return seq_cst_.changes_witness(graph) || seq_cst_.consistent_for_good(graph);
}

bool Consistency::push_read(ExecutionGraph& graph, const Event& read) {
  if (!mo_is_explicit()) {
    floors_.compute(graph, read.thread, read.location);
    const bool allowed = floors_.allow(graph, read.rf);
    graph.push(read);
    if (!allowed) return false;
    floors_.force(graph, read.rf);
    return seq_cst_holds(graph);
  }
  graph.push(read);
  return interleaving_.consistent(graph);
}

bool Consistency::push_write(ExecutionGraph& graph, const Event& write) {
  if (mo_is_explicit()) {
    graph.push(write);
    return interleaving_.consistent(graph);
  }
  if (!write.is_rmw) floors_.compute(graph, write.thread, write.location);
  graph.push(write);
  if (!place_write(graph)) return false;
  return !write.is_rmw || seq_cst_holds(graph);
}

void Consistency::push_copy(ExecutionGraph& graph, const Event& event, const ExecutionGraph& other, Slot at) {
  const bool has_place = !mo_is_explicit() && is_access(event);
  if (has_place) floors_.compute(graph, event.thread, event.location);
  graph.push_copy(event, other, at);
  if (!has_place) return;
  if (event.kind == EventKind::kRead) floors_.force(graph, event.rf);
  else place_write(graph);
}

bool Consistency::recheck(ExecutionGraph& graph) {
  return mo_is_explicit() ? interleaving_.consistent(graph) : seq_cst_.consistent(graph);
}

}  // namespace ordeal::model
