#include "analysis/inference.h"

#include <algorithm>
#include <bit>

namespace ordeal::analysis {

// --- set-up ------------------------------------------------------------------------------------------------------------------

void Inference::begin(const Operations& operations, std::span<const OperationId> order) {
  operations_ = &operations;
  width_ = base::padded_width(operations.threads);
  const auto size = operations.all.size(), locations = static_cast<std::size_t>(operations.locations);
  steps_ = 0;
  rows_.assign(size * static_cast<std::size_t>(width_), 0);
  links_.clear();
  first_in_.assign(size, -1);
  first_out_.assign(size, -1);
  first_reader_.assign(size + locations, kNoOperation);
  next_reader_.assign(size, kNoOperation);
  order_.assign(order.begin(), order.end());
  place_.resize(size);
  for (std::size_t i = 0; i < size; ++i) place_[static_cast<std::size_t>(order_[i])] = static_cast<std::int32_t>(i);
  marked_.assign(size / 64 + 1, 0);
  for (std::size_t i = 0; i < size; ++i) marked_[i / 64] |= std::uint64_t{1} << (i % 64);
  lowest_ = 0;
  sort_writes();
  link_readers();
  add_given();
  add_explicit_mo();
}

void Inference::sort_writes() {
  const Operations& all = *operations_;
  std::vector<std::int32_t> next(static_cast<std::size_t>(all.locations) + 1, 0);
  for (const Operation& operation : all.all)
    if (writes(operation.sort)) ++next[static_cast<std::size_t>(operation.location) + 1];
  for (std::size_t l = 0; l < static_cast<std::size_t>(all.locations); ++l) next[l + 1] += next[l];
  writes_.resize(static_cast<std::size_t>(next.back()));
  for (int t = 0; t < all.threads; ++t)
    for (const OperationId id : all.of_thread(t))
      if (writes(all[id].sort)) writes_[static_cast<std::size_t>(next[static_cast<std::size_t>(all[id].location)]++)] = id;
  segments_.clear();
  first_segment_.assign(static_cast<std::size_t>(all.locations) + 1, 0);
  for (std::int32_t i = 0, location = 0; location < all.locations; ++location) {
    for (; i < next[static_cast<std::size_t>(location)]; ++i) {
      const std::int32_t thread = all[writes_[static_cast<std::size_t>(i)]].thread;
      const bool is_new = static_cast<std::size_t>(first_segment_[static_cast<std::size_t>(location)]) == segments_.size() || segments_.back().thread != thread;
      if (is_new) segments_.push_back({thread, i, i});
      segments_.back().end = i + 1;
    }
    first_segment_[static_cast<std::size_t>(location) + 1] = static_cast<std::int32_t>(segments_.size());
  }
}

/// Of each write and thread the last reader.
void Inference::link_readers() {
  const Operations& all = *operations_;
  for (int t = 0; t < all.threads; ++t) {
    const auto mine = all.of_thread(t);
    for (std::size_t i = mine.size(); i-- > 0;) {
      if (!reads(all[mine[i]].sort)) continue;
      OperationId& first = first_reader(all[mine[i]].source);
      if (first != kNoOperation && all[first].thread == t) continue;  // one that is later
      next_reader_[static_cast<std::size_t>(mine[i])] = first;
      first = mine[i];
    }
  }
}

void Inference::add_given() {
  const Operations& all = *operations_;
  for (OperationId id = 0; id < all.size(); ++id) {
    const Operation& operation = all[id];
    if (reads(operation.sort) && operation.source >= 0) add({operation.source, id, ScEdgeKind::kRf});
    if (operation.sort == Sort::kWake && operation.source >= 0) add({operation.source, id, ScEdgeKind::kWake});
    if ((operation.sort != Sort::kCreate && operation.sort != Sort::kJoin) || operation.other < 0) continue;
    const auto theirs = all.of_thread(operation.other);
    if (theirs.empty()) continue;
    if (operation.sort == Sort::kCreate) add({id, theirs.front(), ScEdgeKind::kCreate});
    else add({theirs.back(), id, ScEdgeKind::kJoin});
  }
}

void Inference::add_explicit_mo() {
  std::vector<OperationId> here;
  for (std::int32_t location = 0; location < operations_->locations; ++location) {
    const auto segments = writes_to(location);
    if (segments.empty() || (*operations_)[writes_[static_cast<std::size_t>(segments.front().first)]].mo_position == 0) continue;
    here.assign(writes_.begin() + segments.front().first, writes_.begin() + segments.back().end);
    std::sort(here.begin(), here.end(), [&](OperationId a, OperationId b) { return (*operations_)[a].mo_position < (*operations_)[b].mo_position; });
    for (std::size_t i = 1; i < here.size(); ++i) add({here[i - 1], here[i], ScEdgeKind::kMo});
  }
}

void Inference::add(const ScEdge& edge) {
  links_.push_back({edge, first_in_[static_cast<std::size_t>(edge.to)], first_out_[static_cast<std::size_t>(edge.from)]});
  first_in_[static_cast<std::size_t>(edge.to)] = first_out_[static_cast<std::size_t>(edge.from)] = static_cast<std::int32_t>(links_.size()) - 1;
  mark(edge.to);
}

// --- the fixed point -----------------------------------------------------------------------------------------------------------

void Inference::mark(OperationId id) {
  const auto place = static_cast<std::size_t>(place_[static_cast<std::size_t>(id)]);
  marked_[place / 64] |= std::uint64_t{1} << (place % 64);
  lowest_ = std::min(lowest_, place / 64);
}

OperationId Inference::take_marked() {
  while (lowest_ < marked_.size() && marked_[lowest_] == 0) ++lowest_;
  if (lowest_ == marked_.size()) return kNoOperation;
  const auto bit = static_cast<std::size_t>(std::countr_zero(marked_[lowest_]));
  marked_[lowest_] &= marked_[lowest_] - 1;
  return order_[lowest_ * 64 + bit];
}

bool Inference::run() {
  for (OperationId id = take_marked(); id != kNoOperation; id = take_marked()) {
    ++steps_;
    if (!look_at(id)) return false;
  }
  return true;
}

OperationId Inference::previous(OperationId id) const {
  const Operation& operation = (*operations_)[id];
  return operation.index == 0 ? kNoOperation : operations_->of_thread(operation.thread)[static_cast<std::size_t>(operation.index) - 1];
}

/// Takes over what comes before; if that is new, what follows from it.
bool Inference::look_at(OperationId id) {
  const Operation& operation = (*operations_)[id];
  base::ClockEntry* row = rows_.data() + static_cast<std::size_t>(id) * static_cast<std::size_t>(width_);
  bool changed = row[operation.thread] == 0;
  row[operation.thread] = operation.index + 1;
  if (operation.index > 0 && !learn(id, previous(id), changed)) {
    closing_ = {previous(id), id, ScEdgeKind::kPo};
    return false;
  }
  for (std::int32_t in = first_in_[static_cast<std::size_t>(id)]; in >= 0; in = links_[static_cast<std::size_t>(in)].next_in) {
    if (learn(id, links_[static_cast<std::size_t>(in)].edge.from, changed)) continue;
    closing_ = links_[static_cast<std::size_t>(in)].edge;
    return false;
  }
  if (!changed) return true;
  if (reads(operation.sort) && operation.source >= 0) order_writes_before(id);
  if (writes(operation.sort)) order_readers_before(id);
  const auto mine = operations_->of_thread(operation.thread);
  if (static_cast<std::size_t>(operation.index) + 1 < mine.size()) mark(mine[static_cast<std::size_t>(operation.index) + 1]);
  for (std::int32_t out = first_out_[static_cast<std::size_t>(id)]; out >= 0; out = links_[static_cast<std::size_t>(out)].next_out)
    mark(links_[static_cast<std::size_t>(out)].edge.to);
  return true;
}

/// False: `from` is also behind `id`.
bool Inference::learn(OperationId id, OperationId from, bool& changed) {
  if (from == id || is_before(id, from)) return false;
  base::ClockEntry* row = rows_.data() + static_cast<std::size_t>(id) * static_cast<std::size_t>(width_);
  if (base::covers(row, this->row(from), width_)) return true;
  base::join(row, this->row(from), width_);
  changed = true;
  return true;
}

/// Rule mo.
void Inference::order_writes_before(OperationId read) {
  const Operation& operation = (*operations_)[read];
  for (const Writes& theirs : writes_to(operation.location)) {
    const OperationId write = last_write(theirs, theirs.thread == operation.thread ? operation.index : row(read)[theirs.thread]);
    if (write == kNoOperation || write == operation.source || is_before(write, operation.source)) continue;
    add({write, operation.source, ScEdgeKind::kMo, read});
  }
}

/// Rule fr.
void Inference::order_readers_before(OperationId write) {
  const Operation& operation = (*operations_)[write];
  for (const Writes& theirs : writes_to(operation.location)) {
    const bool is_mine = theirs.thread == operation.thread;
    OperationId read = last_write(theirs, is_mine ? operation.index : row(write)[theirs.thread]);
    if (read == kNoOperation && is_mine) read = initial_write(operation.location);
    if (read == kNoOperation) continue;
    for (OperationId reader = first_reader(read); reader != kNoOperation; reader = next_reader_[static_cast<std::size_t>(reader)])
      if (reader != write && !is_before(reader, write)) add({reader, write, ScEdgeKind::kFr, read});
  }
}

std::span<const Inference::Writes> Inference::writes_to(std::int32_t location) const {
  const std::int32_t first = first_segment_[static_cast<std::size_t>(location)], end = first_segment_[static_cast<std::size_t>(location) + 1];
  return std::span(segments_).subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(end - first));
}

/// The place in `writes_` of the first with this index or a higher one.
std::int32_t Inference::place_from(const Writes& writes, std::int32_t index) const {
  std::int32_t low = writes.first, high = writes.end;
  while (low < high) {
    const std::int32_t middle = (low + high) / 2;
    if ((*operations_)[writes_[static_cast<std::size_t>(middle)]].index < index) low = middle + 1;
    else high = middle;
  }
  return low;
}

OperationId Inference::last_write(const Writes& writes, std::int32_t bound) const {
  const std::int32_t place = place_from(writes, bound);
  return place == writes.first ? kNoOperation : writes_[static_cast<std::size_t>(place) - 1];
}

OperationId Inference::first_not_behind(OperationId write, std::span<const std::int32_t> done) const {
  for (const Writes& theirs : writes_to((*operations_)[write].location)) {
    if (theirs.thread == (*operations_)[write].thread) continue;
    const std::int32_t place = place_from(theirs, done[static_cast<std::size_t>(theirs.thread)]);
    if (place < theirs.end && !is_before(write, writes_[static_cast<std::size_t>(place)])) return writes_[static_cast<std::size_t>(place)];
  }
  return kNoOperation;
}

// --- explanations --------------------------------------------------------------------------------------------------------------

std::vector<ScEdge> Inference::path(OperationId from, OperationId to, std::size_t limit) const {
  constexpr std::int32_t kFar = INT32_MAX;
  std::vector<std::int32_t> distance(operations_->all.size(), kFar);
  std::vector<ScEdge> step(operations_->all.size());  // the first of the way to `to`
  std::vector<OperationId> now{to}, later;           // as far from `to` as each other, and one edge further
  distance[static_cast<std::size_t>(to)] = 0;
  while (!now.empty() && distance[static_cast<std::size_t>(from)] == kFar) {
    for (std::size_t i = 0; i < now.size(); ++i) {
      const OperationId id = now[i];
      const std::int32_t here = distance[static_cast<std::size_t>(id)];
      if (const OperationId before = previous(id); before != kNoOperation && distance[static_cast<std::size_t>(before)] > here) {
        distance[static_cast<std::size_t>(before)] = here;
        step[static_cast<std::size_t>(before)] = {before, id, ScEdgeKind::kPo};
        now.push_back(before);
      }
      for (std::int32_t in = first_in_[static_cast<std::size_t>(id)]; in >= 0; in = links_[static_cast<std::size_t>(in)].next_in) {
        const ScEdge& edge = links_[static_cast<std::size_t>(in)].edge;
        if (static_cast<std::size_t>(in) >= limit || distance[static_cast<std::size_t>(edge.from)] <= here + 1) continue;
        distance[static_cast<std::size_t>(edge.from)] = here + 1;
        step[static_cast<std::size_t>(edge.from)] = edge;
        later.push_back(edge.from);
      }
    }
    now.swap(later);
    later.clear();
  }
  std::vector<ScEdge> found;
  if (distance[static_cast<std::size_t>(from)] == kFar) return found;
  for (OperationId at = from; at != to; at = step[static_cast<std::size_t>(at)].to) {
    const ScEdge& edge = step[static_cast<std::size_t>(at)];
    if (edge.kind == ScEdgeKind::kPo && !found.empty() && found.back().kind == ScEdgeKind::kPo) found.back().to = edge.to;
    else found.push_back(edge);
  }
  return found;
}

std::vector<ScEdge> Inference::closed_path() const {
  std::vector<ScEdge> edges = path(closing_.to, closing_.from, links_.size());
  if (!edges.empty() && edges.back().kind == ScEdgeKind::kPo && closing_.kind == ScEdgeKind::kPo) edges.back().to = closing_.to;
  else edges.push_back(closing_);
  if (edges.size() > 1 && edges.front().kind == ScEdgeKind::kPo && edges.back().kind == ScEdgeKind::kPo) {
    edges.front().from = edges.back().from;
    edges.pop_back();
  }
  return edges;
}

/// An inferred mo edge from w' to w in a cycle hides what is wrong: the rest of the cycle says that w comes before w', so the read of w
/// that comes behind w' comes before w', too. That is a cycle of older edges.
Inference::Explanation Inference::explain() const {
  Explanation found;
  found.cycle = closed_path();
  std::vector<char> is_needed(links_.size(), 0);
  collect(found.cycle, links_.size(), is_needed);
  std::vector<ScEdge> made;
  for (;;) {
    const auto mo = std::find_if(found.cycle.begin(), found.cycle.end(), [](const ScEdge& edge) { return edge.kind == ScEdgeKind::kMo && edge.because != kNoOperation; });
    if (mo == found.cycle.end()) break;
    const ScEdge edge = *mo;
    const auto link = static_cast<std::size_t>(std::find_if(links_.begin(), links_.end(), [&](const Link& other) { return other.edge == edge; }) - links_.begin());
    found.cycle = path(edge.from, edge.because, link);
    collect(found.cycle, link, is_needed);
    made.push_back({edge.because, edge.from, ScEdgeKind::kFr, edge.to});
    found.cycle.push_back(made.back());
  }
  for (const ScEdge& edge : found.cycle) found.ways.push_back(way_of(edge));
  for (std::size_t link = 0; link < links_.size(); ++link)
    if (is_needed[link] != 0) found.reasons.push_back(links_[link].edge);
  found.reasons.insert(found.reasons.end(), made.begin(), made.end());
  return found;
}

/// Only what was known when the edge was inferred.
std::vector<ScEdge> Inference::way_of(const ScEdge& edge) const {
  if (edge.kind != ScEdgeKind::kFr || edge.because < 0) return {};
  const auto link = std::find_if(links_.begin(), links_.end(), [&](const Link& other) { return other.edge == edge; });
  return path(edge.because, edge.to, static_cast<std::size_t>(link - links_.begin()));
}

void Inference::collect(std::span<const ScEdge> edges, std::size_t limit, std::vector<char>& is_needed) const {
  for (const ScEdge& edge : edges) {
    if (edge.kind == ScEdgeKind::kPo) continue;
    for (std::int32_t in = first_in_[static_cast<std::size_t>(edge.to)]; in >= 0; in = links_[static_cast<std::size_t>(in)].next_in)
      if (static_cast<std::size_t>(in) < limit && links_[static_cast<std::size_t>(in)].edge == edge) collect(static_cast<std::size_t>(in), is_needed);
  }
}

void Inference::collect(std::size_t link, std::vector<char>& is_needed) const {
  const ScEdge& edge = links_[link].edge;
  const bool is_inferred = edge.because != kNoOperation;
  if (is_needed[link] != 0 || (!is_inferred && edge.kind != ScEdgeKind::kAssumed)) return;
  is_needed[link] = 1;
  if (edge.kind == ScEdgeKind::kMo) collect(path(edge.from, edge.because, link), link, is_needed);
  if (edge.kind == ScEdgeKind::kFr && edge.because >= 0) collect(path(edge.because, edge.to, link), link, is_needed);
}

}  // namespace ordeal::analysis
