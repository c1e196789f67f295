#include "model/execution_graph.h"

#include <algorithm>
#include <cassert>
#include <cstring>

#include "model/happens_before.h"

namespace ordeal::model {

void ExecutionGraph::set_width(int width) {
  // Rare: a thread more than ever before. Rows are laid out anew; their contents stay, padded with zeros.
  const int old = width_;
  std::vector<ClockEntry> rows(events_.size() * kRows * static_cast<std::size_t>(width), 0);
  for (std::size_t i = 0; i < events_.size() * kRows && old > 0; ++i)
    std::memcpy(rows.data() + i * static_cast<std::size_t>(width), rows_.data() + i * static_cast<std::size_t>(old),
                sizeof(ClockEntry) * static_cast<std::size_t>(old));
  std::vector<Slot> here(location_.size() * static_cast<std::size_t>(width), kNone);
  for (std::size_t i = 0; i < location_.size() && old > 0; ++i)
    for (int t = 0; t < old; ++t)
      here[i * static_cast<std::size_t>(width) + static_cast<std::size_t>(t)] =
          last_here_[i * static_cast<std::size_t>(old) + static_cast<std::size_t>(t)];
  std::vector<ClockEntry> trail;
  const auto entry = static_cast<std::size_t>(old) + 1, wide = static_cast<std::size_t>(width) + 1;
  for (std::size_t i = 0; old > 0 && i < trail_.size(); i += entry) {
    for (std::size_t j = 0; j < wide - 1; ++j) trail.push_back(j < entry - 1 ? trail_[i + j] : 0);
    trail.push_back(trail_[i + entry - 1]);
  }
  for (Event& event : events_)
    if (old > 0) event.trail_mark = static_cast<std::uint32_t>(event.trail_mark / entry * wide);
  rows_ = std::move(rows);
  last_here_ = std::move(here);
  trail_ = std::move(trail);
  width_ = width;
  note_place();
}

/// After all that moves events or rows, or changes their number or width.
void ExecutionGraph::note_place() {
  all_rows_ = kRows * width_;
  capacity_ = static_cast<int>(events_.size()) - initial_capacity_;
  first_event_ = events_.data() + initial_capacity_;
  first_row_ = rows_.data() + std::ptrdiff_t{initial_capacity_} * all_rows_;
}

void ExecutionGraph::declare_thread(ThreadId thread) {
  while (threads() <= number(thread)) thread_.emplace_back();
  if (threads() > width_) set_width(base::padded_width(threads()));
}

void ExecutionGraph::grow_initial_capacity(int locations) {
  if (locations <= initial_capacity_) return;
  const int more = locations * 2 - initial_capacity_;
  const auto used = static_cast<std::ptrdiff_t>(size_ + initial_capacity_), row_width = static_cast<std::ptrdiff_t>(kRows * width_);
  reserve(static_cast<std::size_t>(used + more));
  std::move_backward(events_.begin(), events_.begin() + used, events_.begin() + used + more);
  std::move_backward(rows_.begin(), rows_.begin() + used * row_width, rows_.begin() + (used + more) * row_width);
  initial_capacity_ += more;
  note_place();
}

/// Makes room for so many events, initial writes included.
void ExecutionGraph::reserve(std::size_t events) {
  if (events_.size() < events) events_.resize(events * 2);
  const std::size_t rows = events_.size() * static_cast<std::size_t>(kRows * width_);
  if (rows_.size() < rows) rows_.resize(rows);
  if (payloads_.size() < events_.size() * payload_size_) payloads_.resize(events_.size() * payload_size_);
  note_place();
}

void ExecutionGraph::declare_location(LocationId location, Value initial) {
  while (locations() <= number(location)) {
    grow_initial_capacity(locations() + 1);
    location_.emplace_back();
    ++location_count_;
    last_here_.resize(location_.size() * static_cast<std::size_t>(width_), kNone);
    const auto id = LocationId{locations() - 1};
    Event& first = event(initial_write(id));
    first = Event{};
    std::fill_n(row(initial_write(id), Row{0}), kRows * width_, 0);
    first.kind = EventKind::kWrite;
    first.order = MemoryOrder::kPlain;
    first.location = id;
    first.chain_head = first.chain_tail = initial_write(id);
  }
  event(initial_write(location)).value = initial;
}

/// Two jumps of the same length below it are followed by one of twice that length and one step (Myers 1983).
void ExecutionGraph::link_jump(Event& added) const {
  const auto place = [&](Slot slot) { return slot == kNone ? -1 : event(slot).place_here; };
  const Slot before = added.previous_here, jump = before == kNone ? kNone : event(before).jump_here;
  added.place_here = place(before) + 1;
  const Slot further = jump == kNone ? kNone : event(jump).jump_here;
  added.jump_here = place(before) - place(jump) == place(jump) - place(further) ? further : before;
}

void ExecutionGraph::link(Slot slot, Event& added) {
  if (is_symmetric_) [[unlikely]] enter_in_class(slot, added);
  ThreadState& thread = at(added.thread);
  added.index = thread.count++;
  added.previous = thread.last;
  thread.last = slot;
  added.previous_sc = thread.last_seq_cst;
  added.release_fence = added.acquire_fence = added.sc_fence = kNone;
  if (added.previous != kNone) {
    const Event& before = event(added.previous);
    added.release_fence = before.release_fence;
    added.acquire_fence = before.acquire_fence;
    added.sc_fence = before.sc_fence;
  }
  if (added.kind == EventKind::kFence) {
    if (releases(added.order)) added.release_fence = slot;
    if (acquires(added.order)) added.acquire_fence = slot;
    if (is_seq_cst(added)) added.sc_fence = slot, ++seq_cst_fences_;
  }
  if (is_seq_cst(added)) {
    added.sc_index = static_cast<std::int32_t>(seq_cst_.size());
    seq_cst_.push_back(slot);
    thread.last_seq_cst = slot;
  } else {
    added.sc_index = -1;
  }
  if (!is_access(added)) {
    if (added.kind == EventKind::kCreate) at(added.access.other).creation = slot;
    if (added.kind == EventKind::kAttempt) ++attempts_;
    return;
  }
  LocationState& location = at(added.location);
  Slot& here = last_here_[static_cast<std::size_t>(number(added.location) * width_ + number(added.thread))];
  added.previous_here = here;
  link_jump(added);
  here = slot;
  if (is_seq_cst(added)) ++location.seq_cst_accesses;
  Slot& same_kind = added.kind == EventKind::kRead ? location.last_read : location.last_write;
  added.previous_at_location = same_kind;
  same_kind = slot;
  if (added.kind != EventKind::kWrite) return;
  ++location.writes;
  added.ordinal = 0;
  for (Slot before = added.previous_here; before != kNone; before = event(before).previous_here) {
    if (event(before).kind != EventKind::kWrite) continue;
    added.ordinal = event(before).ordinal + 1;
    break;
  }
}

void ExecutionGraph::shift_mo(LocationId location, int from, int by) {
  for (Slot at = last_write(location); at != kNone; at = event(at).previous_at_location)
    if (event(at).mo_position >= from) event(at).mo_position += by;
}

[[gnu::noinline]] void ExecutionGraph::enter_in_class(Slot slot, const Event& added) {
  if (in_class_.size() < thread_.size()) in_class_.resize(thread_.size());
  if (added.kind != EventKind::kAttempt) in_class_[static_cast<std::size_t>(number(added.thread))].push_back(slot);
}

/// Seldom called, and kept out of `append` and `unlink`, which are called for every event.
[[gnu::noinline]] void ExecutionGraph::add_backward_reader(Slot write) {
  if (event(write).backward_readers++ == 0) revisitors_.push_back(write);
}
[[gnu::noinline]] void ExecutionGraph::remove_backward_reader(Slot write) {
  if (--event(write).backward_readers == 0) std::erase(revisitors_, write);
}

Slot ExecutionGraph::append(const Event& added) {
  const Slot slot{size_++};
  if (size_ > capacity_) [[unlikely]] reserve(static_cast<std::size_t>(size_ + initial_capacity_));
  Event& stored = event(slot);
  if (&stored != &added) stored = added;
  stored.serial = ++serials_;
  stored.trail_mark = static_cast<std::uint32_t>(trail_.size());
  stored.backward_readers = 0;
  stored.is_behind_all = false;
  stored.chain_head = stored.chain_tail = kNone;
  if ((stored.kind == EventKind::kRead || stored.kind == EventKind::kAttempt) && number(stored.rf) >= 0 &&
      event(stored.rf).stamp > stored.stamp)
    add_backward_reader(stored.rf);
  if (stored.mo_position > 0) {
    mo_is_explicit_ = true;
    shift_mo(stored.location, stored.mo_position, 1);
  }
  link(slot, stored);
  return slot;
}

Slot ExecutionGraph::push(const Event& added) {
  const Slot slot = append(added);
  compute_happens_before(*this, slot);
  return slot;
}

Slot ExecutionGraph::push_copy(const Event& added, const ExecutionGraph& other, Slot at) {
  const Slot slot = append(added);
  std::memcpy(row(slot, Row{0}), other.row(at, Row{0}), sizeof(ClockEntry) * static_cast<std::size_t>(kRows * width_));
  if (shb_valid == number(slot) && other.shb_valid > number(at)) ++shb_valid;
  return slot;
}

void ExecutionGraph::save_mo_row(Slot slot) {
  const std::size_t begin = trail_.size();
  trail_.resize(begin + static_cast<std::size_t>(width_) + 1);
  base::copy(trail_.data() + begin, row(slot, Row::kMo), width_);
  trail_.back() = number(slot);
}

void ExecutionGraph::undo(std::uint32_t mark) {
  while (trail_.size() > mark) {
    const Slot changed{trail_.back()};
    const std::size_t begin = trail_.size() - static_cast<std::size_t>(width_) - 1;
    base::copy(row(changed, Row::kMo), trail_.data() + begin, width_);
    trail_.resize(begin);
  }
}

void ExecutionGraph::pop() {
  assert(size_ > 0);
  const Event& gone = event(last());
  if (trail_.size() != gone.trail_mark) undo(gone.trail_mark);
  unlink(last(), gone);
  --size_;
  if (shb_valid > size_) shb_valid = size_;
  seq_cst_relations.forget_above(size_);
}

/// Takes back what `append` did. Reads only the event itself, so that copy_prefix can use another graph's.
void ExecutionGraph::unlink(Slot slot, const Event& gone) {
  if ((gone.kind == EventKind::kRead || gone.kind == EventKind::kAttempt) && number(gone.rf) >= 0 && number(gone.rf) < size_ &&
      event(gone.rf).stamp > gone.stamp)
    remove_backward_reader(gone.rf);
  if (is_symmetric_ && gone.kind != EventKind::kAttempt) [[unlikely]] in_class_[static_cast<std::size_t>(number(gone.thread))].pop_back();
  ThreadState& thread = at(gone.thread);
  thread.last = gone.previous;
  --thread.count;
  if (is_seq_cst(gone)) {
    seq_cst_.pop_back();
    thread.last_seq_cst = gone.previous_sc;
    if (gone.kind == EventKind::kFence) --seq_cst_fences_;
  }
  if (!is_access(gone)) {
    if (gone.kind == EventKind::kCreate) at(gone.access.other).creation = kNone;
    if (gone.kind == EventKind::kAttempt) --attempts_;
    return;
  }
  LocationState& location = at(gone.location);
  last_here_[static_cast<std::size_t>(number(gone.location) * width_ + number(gone.thread))] = gone.previous_here;
  if (is_seq_cst(gone)) --location.seq_cst_accesses;
  if (gone.kind == EventKind::kRead) {
    location.last_read = gone.previous_at_location;
    return;
  }
  location.last_write = gone.previous_at_location;
  --location.writes;
  if (gone.chain_head == slot) --location.chains;
  if (gone.is_rmw && gone.chain_head != kNone && number(gone.chain_head) < size_) event(gone.chain_head).chain_tail = gone.rf;
  if (gone.mo_position > 0) shift_mo(gone.location, gone.mo_position + 1, -1);
}

/// How many of the first `size` events of `other` this graph has, too.
int ExecutionGraph::common_with(const ExecutionGraph& other, int size) const {
  int same = 0;
  for (int limit = std::min(size, size_); same < limit;) {
    const int middle = same + (limit - same + 1) / 2;
    if (event(Slot{middle - 1}).serial == other.event(Slot{middle - 1}).serial) same = middle;
    else limit = middle - 1;
  }
  return same;
}

/// For copy_prefix from a related graph: makes the rows below some slot equal to those of `other`, and returns the slot. Of events that
/// both have, rows differ only where the trail of either says so.
Slot ExecutionGraph::take_common_rows(const ExecutionGraph& other, int size) {
  const Slot none{-other.locations()};
  constexpr int kFew = 2048;  // entries: they are copied faster than compared
  const bool is_alike = width_ == other.width_ && initial_capacity_ >= other.initial_capacity_;
  if (!is_alike || is_symmetric_ || mo_is_explicit_ || (size + other.locations()) * all_rows_ < kFew) return none;
  int common = common_with(other, size);
  if (shb_valid < std::min(common, other.shb_valid)) common = shb_valid;
  const auto take_changed = [&](const ExecutionGraph& changed) {
    const std::size_t mark = common < changed.size_ ? changed.event(Slot{common}).trail_mark : changed.trail_.size();
    for (std::size_t end = changed.trail_.size(); end > mark; end -= static_cast<std::size_t>(width_) + 1)
      if (const Slot slot{changed.trail_[end - 1]}; number(slot) < common) base::copy(row(slot, Row::kMo), other.row(slot, Row::kMo), width_);
  };
  take_changed(*this);
  take_changed(other);
  const int new_locations = std::max(other.locations() - locations(), 0);
  std::memcpy(row(none, Row{0}), other.row(none, Row{0}), static_cast<std::size_t>(new_locations * all_rows_) * sizeof(ClockEntry));
  return Slot{common};
}

void ExecutionGraph::copy_prefix(const ExecutionGraph& other, int size, bool is_related) {
  const Slot first_row = is_related ? take_common_rows(other, size) : Slot{-other.locations()};
  width_ = other.width_;
  size_ = size;
  initial_capacity_ = std::max(initial_capacity_, other.initial_capacity_);
  seq_cst_fences_ = other.seq_cst_fences_;
  attempts_ = other.attempts_;
  next_stamp = other.next_stamp;
  shb_valid = std::min(size, other.shb_valid);
  payload_size_ = other.payload_size_;
  // Undoing explicit positions changes events behind the prefix too.
  const int events = other.mo_is_explicit_ ? other.size_ : size;
  mo_is_explicit_ = other.mo_is_explicit_;
  reserve(static_cast<std::size_t>(events + initial_capacity_));
  // Initial writes stand right below slot 0, of those that are declared.
  const auto initial = static_cast<std::size_t>(other.locations());
  const std::size_t from = static_cast<std::size_t>(other.initial_capacity_) - initial, to = static_cast<std::size_t>(initial_capacity_) - initial;
  std::memcpy(static_cast<void*>(events_.data() + to), other.events_.data() + from, (static_cast<std::size_t>(events) + initial) * sizeof(Event));
  std::memcpy(row(first_row, Row{0}), other.row(first_row, Row{0}), static_cast<std::size_t>((size - number(first_row)) * all_rows_) * sizeof(ClockEntry));
  if (payload_size_ > 0 && size_ > 0)
    std::memcpy(payloads_.data(), other.payloads_.data(), static_cast<std::size_t>(size_) * payload_size_);
  thread_.assign(other.thread_.begin(), other.thread_.end());
  location_.assign(other.location_.begin(), other.location_.end());
  location_count_ = other.location_count_;
  last_here_.assign(other.last_here_.begin(), other.last_here_.end());
  seq_cst_.assign(other.seq_cst_.begin(), other.seq_cst_.end());
  is_symmetric_ = other.is_symmetric_;
  if (is_symmetric_) in_class_ = other.in_class_;
  revisitors_.clear();
  for (const Slot write : other.revisitors_)
    if (number(write) < size) revisitors_.push_back(write);
  seq_cst_relations.copy_newest(other.seq_cst_relations, size);
  if (size == other.size_) {
    trail_.assign(other.trail_.begin(), other.trail_.end());
    return;
  }
  // The events behind the prefix are undone here without having been copied.
  const std::uint32_t mark = other.event(Slot{size}).trail_mark;
  trail_.assign(other.trail_.begin(), other.trail_.begin() + mark);
  for (std::size_t end = other.trail_.size(); end > mark; end -= static_cast<std::size_t>(width_) + 1) {
    const Slot changed{other.trail_[end - 1]};
    if (number(changed) < size)
      base::copy(row(changed, Row::kMo), other.trail_.data() + (end - static_cast<std::size_t>(width_) - 1), width_);
  }
  for (int i = other.size_ - 1; i >= size; --i) unlink(Slot{i}, mo_is_explicit_ ? event(Slot{i}) : other.event(Slot{i}));
}

void ExecutionGraph::set_payload_size(std::size_t bytes) {
  payload_size_ = bytes;
  payloads_.assign(events_.size() * bytes, std::byte{0});
}

void ExecutionGraph::clear() {
  while (size_ > 0) pop();
  next_stamp = 0;
}

}  // namespace ordeal::model
