// What threads know of each other: happens-before, as rows of ticks (rows.h), and the seq_cst fences among that.
#include <algorithm>
#include <cstring>

#include "sample/memory.h"

namespace ordeal::sample {

using model::acquires;
using model::releases;

// --- threads -------------------------------------------------------------------------------------------------------------

void Memory::widen(int thread) {
  width_ = std::max(width_, thread + 1);
  const auto wanted = static_cast<std::size_t>((width_ + 3) & ~3);
  if (threads_.size() < wanted) threads_.resize(wanted);
  for (Thread& each : threads_)
    if (each.knows.size() < wanted) each.knows.resize(wanted, base_);
}

/// A number may be used again once its thread has ended and been joined: ticks go on. Who knows the new thread knows the old
/// one, too, so the new one must know what that knew, even if its creator does not.
void Memory::create(int parent, int child) {
  widen(child);
  Thread& made = at(child);
  const std::vector<Tick> before = made.knows;
  Row* fence = rows_.share(made.fence);
  const std::uint64_t fence_time = made.fence_time;
  reset(made);
  Thread& creator = at(parent);
  for (std::size_t u = 0; u < made.knows.size(); ++u) made.knows[u] = std::max(before[u], creator.knows[u]);
  ++made.knows[static_cast<std::size_t>(child)];
  learn_fence(made, fence, fence_time);
  rows_.let_go(fence);
  learn_fence(made, creator.fence, creator.fence_time);
  made.is_live = true;
  ++creator.knows[static_cast<std::size_t>(parent)];
}

void Memory::finish(int thread) { at(thread).is_live = false; }

void Memory::join(int thread, int other) {
  Thread& knower = at(thread);
  const Thread& ended = at(other);
  for (std::size_t u = 0; u < knower.knows.size(); ++u) knower.knows[u] = std::max(knower.knows[u], ended.knows[u]);
  learn_fence(knower, ended.fence, ended.fence_time);
  ++knower.version;
  rows_.let_go(knower.row);
  knower.row = nullptr;
}

/// What the thread knows of others, to be shared.
Row* Memory::row_of(int thread) {
  Thread& knower = at(thread);
  if (knower.row != nullptr) return knower.row;
  Row* row = rows_.make(width_);
  std::memcpy(row->ticks(), knower.knows.data(), static_cast<std::size_t>(width_) * sizeof(Tick));
  row->ticks()[thread] = 0;  // goes on, while the row stays
  row->fence = rows_.share(knower.fence);
  row->time = knower.fence_time;
  return knower.row = row;
}

void Memory::learn_fence(Thread& knower, Row* fence, std::uint64_t time) {
  if (fence == nullptr || time <= knower.fence_time) return;
  rows_.let_go(knower.fence);
  knower.fence = rows_.share(fence);
  knower.fence_time = time;
  ++knower.version;
}

void Memory::learn(Thread& knower, Row* row, Tick tick, int thread) {
  bool has_learnt = false;
  const auto width = std::min<std::size_t>(row->width, knower.knows.size());
  for (std::size_t u = 0; u < width; ++u)
    if (row->ticks()[u] > knower.knows[u]) knower.knows[u] = row->ticks()[u], has_learnt = true;
  if (tick > knower.knows[static_cast<std::size_t>(thread)]) knower.knows[static_cast<std::size_t>(thread)] = tick, has_learnt = true;
  if (row->time > knower.fence_time) learn_fence(knower, row->fence, row->time), has_learnt = true;
  if (!has_learnt) return;
  ++knower.version;
  rows_.let_go(knower.row);
  knower.row = nullptr;
}

void Memory::acquire(int thread, const Published& published) {
  if (published.row == nullptr) return;
  Thread& knower = at(thread);
  // Who knows an event of a thread knows all that the thread knew then.
  if (knower.knows[static_cast<std::size_t>(published.thread)] >= published.tick && !published.row->is_mixed) return;
  learn(knower, published.row, published.tick, published.thread);
}

void Memory::note_pending(int thread, const Published& published) {
  if (published.row == nullptr) return;
  Thread& knower = at(thread);
  const auto from = static_cast<std::size_t>(published.thread);
  if (knower.knows[from] >= published.tick && !published.row->is_mixed) return;
  if (!knower.has_pending) {
    knower.has_pending = true;
    knower.pending.assign(knower.knows.size(), 0);
    rows_.let_go(knower.pending_fence);
    knower.pending_fence = nullptr;
    knower.pending_fence_time = 0;
  }
  if (knower.pending.size() < knower.knows.size()) knower.pending.resize(knower.knows.size(), 0);
  if (knower.pending[from] >= published.tick && !published.row->is_mixed) return;
  Row* row = published.row;
  for (std::size_t u = 0; u < row->width; ++u) knower.pending[u] = std::max(knower.pending[u], row->ticks()[u]);
  knower.pending[from] = std::max(knower.pending[from], published.tick);
  if (row->time <= knower.pending_fence_time) return;
  rows_.let_go(knower.pending_fence);
  knower.pending_fence = rows_.share(row->fence);
  knower.pending_fence_time = row->time;
}

/// The thread's tick goes on: what comes behind is not part of it.
void Memory::release(int thread, Published& into) {
  const Published now{rows_.share(row_of(thread)), tick(thread), thread};
  ++at(thread).knows[static_cast<std::size_t>(thread)];
  if (into.row == nullptr) {
    into = now;
    return;
  }
  Published joined = join(into, now);
  let_go(into);
  rows_.let_go(now.row);
  into = joined;
}

void Memory::let_go(Published& published) {
  rows_.let_go(published.row);
  published = {};
}

/// Of both; one of them is shared if it covers the other.
Published Memory::join(const Published& a, const Published& b) {
  const auto covers = [](const Published& large, const Published& small) {
    return !small.row->is_mixed && (small.thread == large.thread ? large.tick >= small.tick : large.row->at(small.thread) >= small.tick);
  };
  if (covers(b, a)) return {rows_.share(b.row), b.tick, b.thread};
  if (covers(a, b)) return {rows_.share(a.row), a.tick, a.thread};
  Row* row = rows_.make(std::max<int>(width_, static_cast<int>(std::max(a.row->width, b.row->width))));
  for (int u = 0; u < static_cast<int>(row->width); ++u) row->ticks()[u] = std::max(a.row->at(u), b.row->at(u));
  row->ticks()[a.thread] = std::max(row->ticks()[a.thread], a.tick);
  row->ticks()[b.thread] = std::max(row->ticks()[b.thread], b.tick);
  row->is_mixed = true;
  const Row* later = a.row->time >= b.row->time ? a.row : b.row;
  row->fence = rows_.share(later->fence);
  row->time = later->time;
  return {row, b.tick, b.thread};
}

/// What a store with this order publishes, on top of what it inherits from the store that it builds upon (C++20: a release
/// sequence goes on through RMWs only). The caller lets the tick go on.
Published Memory::publish(int thread, MemoryOrder order, const Published& inherited) {
  Thread& knower = at(thread);
  Published own;
  if (releases(order)) own = {row_of(thread), tick(thread), thread};
  else if (knower.release_fence.row != nullptr) own = knower.release_fence;  // [atomics.fences]p2
  if (own.row == nullptr || inherited.row == nullptr) {
    const Published& one = own.row != nullptr ? own : inherited;
    return {rows_.share(one.row), one.tick, one.thread};
  }
  return join(inherited, own);
}

void Memory::fence(int thread, MemoryOrder order) {
  Thread& knower = at(thread);
  if (acquires(order) && knower.has_pending) {
    for (std::size_t u = 0; u < knower.pending.size(); ++u) knower.knows[u] = std::max(knower.knows[u], knower.pending[u]);
    learn_fence(knower, knower.pending_fence, knower.pending_fence_time);
    knower.has_pending = false;
    ++knower.version;
    rows_.let_go(knower.row);
    knower.row = nullptr;
  }
  if (order == MemoryOrder::kSeqCst) {
    // It knows what fences before it knew, in the sense of [atomics.order]p4.4; they, from now on, what it knows.
    Row* all = rows_.make(width_);
    for (int u = 0; u < width_; ++u) all->ticks()[u] = std::max(knower.knows[static_cast<std::size_t>(u)], fences_ == nullptr ? 0 : fences_->at(u));
    Row* before = fences_ != nullptr ? fences_ : rows_.make(0);
    fences_ = all;
    last_fence_time_ = ++sc_time_;
    learn_fence(knower, before, sc_time_);
    rows_.let_go(before);
    rows_.let_go(knower.row);
    knower.row = nullptr;
  }
  if (!releases(order)) return;
  rows_.let_go(knower.release_fence.row);
  knower.release_fence = {rows_.share(row_of(thread)), tick(thread), thread};
  ++knower.knows[static_cast<std::size_t>(thread)];
}

}  // namespace ordeal::sample
