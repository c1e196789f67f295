#include "oracle/axioms.h"

namespace ordeal::oracle {
namespace {

using litmus::Order;

bool has_release(Order order) { return order == Order::kRelease || order == Order::kAcqRel || order == Order::kSeqCst; }

bool has_acquire(Order order) {  // consume is acquire
  return order == Order::kAcquire || order == Order::kConsume || order == Order::kAcqRel || order == Order::kSeqCst;
}

}  // namespace

Axioms::Axioms(Model model, bool thin_air, const std::vector<Event>& events)
    : model_(model),
      thin_air_(thin_air),
      size_(static_cast<int>(events.size())),
      events_(events),
      po_(size_),
      rf_(size_),
      rf_inverse_(size_),
      same_location_(size_),
      rs_(size_),
      sw_(size_),
      hb_(size_),
      shb_(size_),
      sc_shb_(size_),
      never_mo_before_(size_),
      before_(size_),
      after_(size_) {
  for (int e = 0; e < size_; ++e) {
    const Event& event = events[e];
    if (event.is_initial()) initial_ |= singleton(e);
    if (event.reads()) reads_ |= singleton(e);
    if (event.writes()) writes_ |= singleton(e);
    if (event.reads() && event.writes()) rmws_ |= singleton(e);
    if (event.is_fence()) fences_ |= singleton(e);
    if (event.order == Order::kPlain) plain_ |= singleton(e);
    if (has_release(event.order) && (event.writes() || event.is_fence())) release_ |= singleton(e);
    if (has_acquire(event.order) && (event.reads() || event.is_fence())) acquire_ |= singleton(e);
    if (event.order == Order::kSeqCst) sc_ |= singleton(e);
    if (event.reads() && event.source >= 0) rf_.add(event.source, e);
    for (int f = 0; f < size_; ++f) {
      const Event& other = events[f];
      if (event.location >= 0 && event.location == other.location) same_location_.add(e, f);
      if (!event.is_initial() && event.thread == other.thread && event.index < other.index) po_.add(e, f);
    }
  }
  rf_inverse_ = inverse(rf_);
  sc_fences_ = fences_ & sc_;
  const Set atomic_writes = writes_ & ~plain_;
  const Set atomic_reads = reads_ & ~plain_;
  const Set threads = all_events(size_) & ~initial_;

  // [intro.races]: the head of a release sequence, then read-modify-writes only.
  rs_ = only(atomic_writes) * optional(closure(rf_ * only(rmws_)));
  // [atomics.order]p2, [atomics.fences]: a release fence before the write, an acquire fence after the read.
  sw_ = only(release_) * optional(only(fences_) * po_) * rs_ * rf_ * only(atomic_reads) *
        optional(po_ * only(fences_)) * only(acquire_);
  hb_ = closure(po_ | sw_ | product(size_, initial_, threads));
  never_mo_before_ = inverse(model == Model::kCpp20 || model == Model::kRc11 ? hb_ : po_);

  if (sc_ == 0) return;  // the rest is about seq_cst only
  const Relation sc = only(sc_);
  const Relation f = only(sc_fences_);
  if (model == Model::kCpp20) {
    shb_ = closure(po_ | sc * sw_ * sc | po_ * hb_ * po_);
    sc_shb_ = sc * shb_ * sc;
    before_ = sc | f * hb_;
    after_ = sc | hb_ * f;
  }
  if (model == Model::kRc11) {
    before_ = sc | f * optional(hb_);
    after_ = sc | optional(hb_) * f;
  }
}

bool Axioms::hold(const Relation& mo) const {
  const Relation fr = without_identity(rf_inverse_ * mo);  // an RMW is not before itself
  const Relation eco = closure(rf_ | mo | fr);
  switch (model_) {
    case Model::kCpp20: return cpp20(mo, fr, eco);
    case Model::kRc11: return rc11(mo, fr, eco);
    case Model::kSc: return sequentially_consistent(mo, fr);
    case Model::kTso: return tso(mo, fr);
  }
  return false;
}

bool Axioms::coherent(const Relation& eco) const {
  return irreflexive(hb_)           // hb is an order,
         && irreflexive(hb_ * eco)  // and no event is coherence-ordered before one that happens before it.
         && irreflexive(eco);       // An RMW reads a write that is mo-before it. (With an RMW as two events this is the
                                    // line above: its read is sequenced before its write.)
}

bool Axioms::atomic(const Relation& mo, const Relation& fr) const {
  return is_empty(only(rmws_) & (fr * mo));  // no write is mo-between the one that an RMW reads and its own
}

bool Axioms::cpp20(const Relation& mo, const Relation& fr, const Relation& eco) const {
  if (!coherent(eco)) return false;
  if (!atomic(mo, fr)) return false;
  if (!thin_air_ && !acyclic(po_ | rf_)) return false;
  if (sc_ == 0) return true;
  const Relation psc = sc_shb_ | before_ * eco * after_;  // [SC];shb;[SC] ∪ ([SC] ∪ [F];hb) ; eco ; ([SC] ∪ hb;[F])
  return acyclic(psc);
}

bool Axioms::rc11(const Relation& mo, const Relation& fr, const Relation& eco) const {
  if (!coherent(eco)) return false;
  if (!atomic(mo, fr)) return false;
  if (!thin_air_ && !acyclic(po_ | rf_)) return false;
  if (sc_ == 0) return true;
  const Relation f = only(sc_fences_);
  const Relation po_other_location = po_ - same_location_;  // a fence has no location: it differs from everything
  const Relation scb = po_ | po_other_location * hb_ * po_other_location | (hb_ & same_location_) | mo | fr;
  const Relation psc_base = before_ * scb * after_;  // ([SC] ∪ [F];hb?) ; scb ; ([SC] ∪ hb?;[F])
  const Relation psc_fence = f * (hb_ | hb_ * eco * hb_) * f;
  return acyclic(psc_base | psc_fence);
}

bool Axioms::sequentially_consistent(const Relation& mo, const Relation& fr) const {
  return acyclic(po_ | rf_ | mo | fr) && atomic(mo, fr);
}

// Definitions 1 to 3 of Burckhardt and Musuvathi, "Effective Program Verification for Relaxed Memory Models", CAV 2008.
bool Axioms::tso(const Relation& mo, const Relation& fr) const {
  Set interlocked = rmws_ | sc_fences_ | (writes_ & sc_);
  for (int e = 0; e < size_; ++e)
    if (events_[e].is_failed_compare_exchange) interlocked |= singleton(e);
  const Set stores = writes_ & ~interlocked;
  const Set loads = reads_ & ~interlocked;
  const Set all = reads_ | writes_ | sc_fences_;  // the other fences do nothing

  const Relation p = only(all) * po_ * only(all);
  // The conflict order. The coherence index of a write is its place in mo; that of a read is the one of its source:
  // (1) to a write with a greater index: mo from a write, fr from a read; (2) to a read from its source, or a write
  // before that.
  const Relation c = mo | fr | optional(mo) * rf_;
  // Of (2), rhb has the step from the source only. The others follow from it, unless the source is an own buffered
  // store: then they do not hold. x86 allows n6, where a load sees its own store before an mo-earlier store of another
  // processor is visible; definition 3 to the letter forbids it.
  const Relation rhb = (p | mo | fr | rf_) - (p & product(size_, stores, loads));
  return atomic(mo, fr)          // (E2: an RMW reads the index just before its own)
         && acyclic(rhb)         // TSO1
         && irreflexive(p * c);  // TSO2
}

bool Axioms::racy() const {
  for (int a = 0; a < size_; ++a)
    for (int b = 0; b < a; ++b) {
      const bool conflict = same_location_(a, b) && (contains(writes_, a) || contains(writes_, b));
      const bool one_is_plain = contains(plain_, a) || contains(plain_, b);
      const bool ordered = hb_(a, b) || hb_(b, a) || events_[a].thread == events_[b].thread;
      if (conflict && one_is_plain && !ordered) return true;
    }
  return false;
}

}  // namespace ordeal::oracle
