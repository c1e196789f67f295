#include "tests/support/naive.h"

#include <algorithm>
#include <stdexcept>

namespace ordeal::model::testing {

using oracle::acyclic;
using oracle::closure;
using oracle::inverse;
using oracle::irreflexive;
using oracle::optional;
using oracle::product;
using oracle::singleton;

namespace {

bool is_release(MemoryOrder order) {
  return order == MemoryOrder::kRelease || order == MemoryOrder::kAcqRel || order == MemoryOrder::kSeqCst;
}
bool is_acquire(MemoryOrder order) {
  return order == MemoryOrder::kAcquire || order == MemoryOrder::kAcqRel || order == MemoryOrder::kSeqCst;
}

}  // namespace

template <class Test>
Set Naive::all(Test&& test) const {
  Set set = 0;
  for (int e = 0; e < size_; ++e)
    if (test(items_[static_cast<std::size_t>(e)])) set |= singleton(e);
  return set;
}

Naive::Naive(const ExecutionGraph& graph) : locations_(graph.locations()), threads_(graph.threads()) {
  for (int l = 0; l < locations_; ++l) {
    Item item;
    item.kind = EventKind::kWrite;
    item.order = MemoryOrder::kPlain;
    item.location = l;
    items_.push_back(item);
  }
  std::vector<int> next_index(static_cast<std::size_t>(threads_), 0);
  for (int i = 0; i < graph.size(); ++i) {
    const Event& event = graph.event(Slot{i});
    Item item;
    item.kind = event.kind;
    item.order = event.order;
    item.thread = number(event.thread);
    item.index = next_index[static_cast<std::size_t>(item.thread)]++;
    if (is_access(event)) item.location = number(event.location);
    if (event.kind == EventKind::kRead) item.rf = id(event.rf);
    item.mo_position = event.mo_position;
    item.is_rmw = event.is_rmw;
    item.is_interlocked = (event.kind == EventKind::kRead && event.access.function != RmwFunction::kNone) ||
                          (event.kind == EventKind::kWrite && event.is_rmw) ||
                          (event.kind == EventKind::kWrite && event.order == MemoryOrder::kSeqCst) ||
                          (event.kind == EventKind::kFence && event.order == MemoryOrder::kSeqCst) ||
                          event.kind == EventKind::kCreate || event.kind == EventKind::kJoin;
    items_.push_back(item);
  }
  add_threads(graph);
  size_ = static_cast<int>(items_.size());
  if (size_ > oracle::kMaxEvents) throw std::length_error("too many events for a bit matrix");
  po_ = rf_ = rmw_ = same_location_ = sw_ = hb_ = shb_ = porf_ = Relation(size_);
  order_threads();
  synchronise();
}

/// Starts and finishes of threads.
void Naive::add_threads(const ExecutionGraph& graph) {
  for (int i = 0; i < graph.size(); ++i) {
    const Event& event = graph.event(Slot{i});
    if (event.kind != EventKind::kCreate && event.kind != EventKind::kJoin) continue;
    Item end;
    end.thread = number(event.access.other);
    end.index = event.kind == EventKind::kCreate ? -1 : 1'000'000;
    end.is_interlocked = true;
    items_.push_back(end);
    const int at = static_cast<int>(items_.size()) - 1;
    if (event.kind == EventKind::kCreate) thread_edges_.emplace_back(id(Slot{i}), at);
    else thread_edges_.emplace_back(at, id(Slot{i}));
  }
}

void Naive::order_threads() {
  for (int a = 0; a < size_; ++a)
    for (int b = 0; b < size_; ++b) {
      const Item &first = items_[static_cast<std::size_t>(a)], &second = items_[static_cast<std::size_t>(b)];
      if (first.thread >= 0 && first.thread == second.thread && first.index < second.index) {
        po_.add(a, b);
        if (first.is_rmw && first.kind == EventKind::kRead && second.is_rmw && second.kind == EventKind::kWrite &&
            first.index + 1 == second.index)
          rmw_.add(a, b);
      }
      if (first.location >= 0 && first.location == second.location) same_location_.add(a, b);
      if (second.kind == EventKind::kRead && second.rf == a) rf_.add(a, b);
    }
}

void Naive::synchronise() {
  initial_ = all([](const Item& e) { return e.thread < 0; });
  reads_ = all([](const Item& e) { return e.kind == EventKind::kRead; });
  writes_ = all([](const Item& e) { return e.kind == EventKind::kWrite; });
  plain_ = all([](const Item& e) { return e.order == MemoryOrder::kPlain; });
  fences_ = all([](const Item& e) { return e.kind == EventKind::kFence; });
  sc_ = all([](const Item& e) {
    return e.order == MemoryOrder::kSeqCst &&
           (e.kind == EventKind::kRead || e.kind == EventKind::kWrite || e.kind == EventKind::kFence);
  });
  sc_fences_ = sc_ & fences_;
  const Set release = all([](const Item& e) {
    return is_release(e.order) && (e.kind == EventKind::kWrite || e.kind == EventKind::kFence);
  });
  const Set acquire = all([](const Item& e) {
    return is_acquire(e.order) && (e.kind == EventKind::kRead || e.kind == EventKind::kFence);
  });
  // [intro.races]p5, [atomics.order]p2, [atomics.fences]p2–p4.
  const Relation rs = only(writes_ & ~plain_) * optional(closure(rf_ * rmw_));
  sw_ = only(release) * optional(only(fences_) * po_) * rs * rf_ * only(reads_ & ~plain_) *
        optional(po_ * only(fences_)) * only(acquire);
  for (const auto& [from, to] : thread_edges_) sw_.add(from, to);
  const Set events = oracle::all_events(size_) & ~initial_;
  hb_ = closure(po_ | sw_ | product(size_, initial_, events));
  Relation created(size_);
  for (const auto& [from, to] : thread_edges_) created.add(from, to);
  porf_ = closure(po_ | rf_ | created | product(size_, initial_, events));
  const Relation sc = only(sc_), outer = po_ - rmw_;
  shb_ = closure(po_ | sc * sw_ * sc | outer * hb_ * outer);
}

std::vector<int> Naive::writes_at(int location) const {
  std::vector<int> found;
  for (int e = 0; e < size_; ++e)
    if (oracle::contains(writes_, e) && items_[static_cast<std::size_t>(e)].location == location) found.push_back(e);
  return found;
}

Relation Naive::mo_constraints() const {
  Relation edge(size_);
  // Where an access stands in modification order; `hb` between accesses is `before or at` between their places.
  const auto place = [&](int access) {
    const Item& item = items_[static_cast<std::size_t>(access)];
    return item.kind == EventKind::kWrite ? access : item.rf;
  };
  for (int a = 0; a < size_; ++a)
    for (int b = 0; b < size_; ++b)
      if (oracle::contains(reads_ | writes_, a) && oracle::contains(reads_ | writes_, b) && same_location_(a, b) &&
          hb_(a, b) && place(a) != place(b))
        edge.add(place(a), place(b));
  const Relation built_upon = rf_ * rmw_;  // a → the write of an RMW that reads a
  edge = edge | built_upon;
  for (;;) {
    const Relation before = edge = closure(edge);
    for (int a = 0; a < size_; ++a)
      for (int u = 0; u < size_; ++u) {
        if (!built_upon(a, u)) continue;
        for (int c = 0; c < size_; ++c) {
          if (c == a || c == u) continue;
          if (edge(a, c)) edge.add(u, c);
          if (edge(c, u)) edge.add(c, a);
        }
      }
    if (oracle::is_empty(edge - before)) return edge;
  }
}

// --- the axioms ----------------------------------------------------------------------------------------------------------

bool Naive::coherent(const Relation& mo) const { return irreflexive(hb_) && irreflexive(hb_ * eco(mo)); }

bool Naive::atomic(const Relation& mo) const { return oracle::is_empty(rmw_ & (fr(mo) * mo)); }

bool Naive::psc_is_acyclic(Model model, const Relation& mo) const {
  const Relation sc = only(sc_), f = only(sc_fences_), e = eco(mo);
  if (model == Model::kCpp20) return acyclic(sc * shb_ * sc | (sc | f * hb_) * e * (sc | hb_ * f));
  const Relation elsewhere = po_ - same_location_;
  const Relation scb = po_ | elsewhere * hb_ * elsewhere | (hb_ & same_location_) | mo | fr(mo);
  const Relation base = (sc | f * optional(hb_)) * scb * (sc | optional(hb_) * f);
  return acyclic(base | f * (hb_ | hb_ * e * hb_) * f);
}

Relation Naive::explicit_mo() const {
  Relation mo(size_);
  for (int a = 0; a < size_; ++a)
    for (int b = 0; b < size_; ++b)
      if (oracle::contains(writes_, a) && oracle::contains(writes_, b) && same_location_(a, b) &&
          items_[static_cast<std::size_t>(a)].mo_position < items_[static_cast<std::size_t>(b)].mo_position)
        mo.add(a, b);
  return mo;
}

bool Naive::sequentially_consistent() const {
  const Relation mo = explicit_mo();
  Relation threads(size_);
  for (const auto& [from, to] : thread_edges_) threads.add(from, to);
  return atomic(mo) && acyclic(po_ | rf_ | mo | fr(mo) | threads);
}

/// Definition 3 of Burckhardt and Musuvathi, with the reading of the memory model's page for own buffered stores.
bool Naive::totally_store_ordered() const {
  const Relation mo = explicit_mo();
  Relation threads(size_);
  for (const auto& [from, to] : thread_edges_) threads.add(from, to);
  const Set interlocked = all([](const Item& e) { return e.is_interlocked; });
  const Set stores = writes_ & ~interlocked, loads = reads_ & ~interlocked;
  const Set taking_part = reads_ | writes_ | interlocked;
  const Relation p = only(taking_part) * po_ * only(taking_part);
  const Relation conflict = mo | fr(mo) | optional(mo) * rf_;
  const Relation global = (p | mo | fr(mo) | rf_ | threads) - (p & product(size_, stores, loads));
  return atomic(mo) && acyclic(global) && irreflexive(p * conflict);
}

// --- all modification orders ---------------------------------------------------------------------------------------------

/// Orders of one location that coherence and atomicity allow (both speak about one location at a time).
std::vector<Relation> Naive::coherent_orders(int location) const {
  std::vector<Relation> found;
  std::vector<int> order = writes_at(location);
  std::sort(order.begin() + 1, order.end());
  do {
    Relation mo(size_);
    for (std::size_t i = 0; i < order.size(); ++i)
      for (std::size_t j = i + 1; j < order.size(); ++j) mo.add(order[i], order[j]);
    if (!oracle::is_empty(hb_ & inverse(mo))) continue;  // (saves time: coherence says so too)
    Relation here(size_);
    for (int e = 0; e < size_; ++e)
      if (items_[static_cast<std::size_t>(e)].location == location) here.add(e, e);
    if (irreflexive(hb_ * closure(here * rf_ | mo | here * fr(mo))) && oracle::is_empty(here * rmw_ & (fr(mo) * mo)))
      found.push_back(mo);
  } while (std::next_permutation(order.begin() + 1, order.end()));
  return found;
}

void Naive::for_each_mo(Model model, const std::function<bool(const Relation&)>& visit) const {
  std::vector<std::vector<Relation>> choices;
  for (int l = 0; l < locations_; ++l) {
    choices.push_back(coherent_orders(l));
    if (choices.back().empty()) return;
  }
  const std::function<bool(std::size_t, const Relation&)> extend = [&](std::size_t at, const Relation& mo) {
    if (at == choices.size()) return !psc_is_acyclic(model, mo) || visit(mo);
    for (const Relation& choice : choices[at])
      if (!extend(at + 1, mo | choice)) return false;
    return true;
  };
  extend(0, Relation(size_));
}

bool Naive::consistent(Model model) const {
  if (model == Model::kSc) return sequentially_consistent();
  if (model == Model::kTso) return totally_store_ordered();
  bool found = false;
  for_each_mo(model, [&](const Relation&) {
    found = true;
    return false;
  });
  return found;
}

bool Naive::coherent_for_some_mo() const {
  for (int l = 0; l < locations_; ++l)
    if (coherent_orders(l).empty()) return false;
  return true;
}

bool Naive::racy(int a, int b) const {
  const Item &first = items_[static_cast<std::size_t>(a)], &second = items_[static_cast<std::size_t>(b)];
  const bool conflict = same_location_(a, b) && (oracle::contains(writes_, a) || oracle::contains(writes_, b));
  const bool one_is_plain = oracle::contains(plain_, a) || oracle::contains(plain_, b);
  return conflict && one_is_plain && first.thread >= 0 && second.thread >= 0 && first.thread != second.thread &&
         !hb_(a, b) && !hb_(b, a);
}

bool Naive::racy() const {
  for (int a = 0; a < size_; ++a)
    for (int b = 0; b < a; ++b)
      if (racy(a, b)) return true;
  return false;
}

int count_before(const ExecutionGraph& graph, const Naive& naive, const Relation& relation, int thread, Slot slot) {
  int count = 0;
  for (int i = 0; i < graph.size(); ++i)
    if (number(graph.event(Slot{i}).thread) == thread && (Slot{i} == slot || relation(naive.id(Slot{i}), naive.id(slot))))
      ++count;
  return count;
}

}  // namespace ordeal::model::testing
