// The execution graph: events, their clocks, and undo.
//
// Events are pushed and popped like a stack; slots respect po ∪ rf. Each event has a block of clock rows:
//
//   kHb          events that happen before it                        (happens_before.cpp)
//   kPorf        events that reach it through po ∪ rf (and symm: symmetry.h) (happens_before.cpp)
//   kRelease     what an acquire read of this write learns           (happens_before.cpp)
//   kMo          writes forced before this one in mo; of chain heads (modification_order.cpp)
//   kShb, kReleaseShb   strongly-happens-before, for seq_cst         (seq_cst.cpp, filled when first needed)
//
// Every row counts the event itself. Only kMo rows of *other* events change when an event is pushed; their old contents go
// to the trail, and `pop` puts them back. All storage is kept between executions: in the steady state nothing is
// allocated. A copy of a graph is a handful of memcpy calls, which is what makes revisits cheap.
//
// Invariants:
//   G1  slots respect po, rf, create and join; `previous…` links lead to lower slots.
//   G2  in one thread stamps grow with the index.
//   G3  kMo rows of chain heads are transitively closed and contain whole chains only.
#pragma once

#include <algorithm>
#include <cstddef>
#include <new>
#include <span>
#include <vector>

#include "base/vector_clock.h"
#include "model/event.h"

namespace ordeal::model {

using base::ClockEntry;

enum class Row : int { kHb, kPorf, kRelease, kMo, kShb, kReleaseShb };
constexpr int kRows = 6;

/// An event in a witness of the seq_cst axiom (seq_cst_witness.h).
struct InWitness {
  std::int32_t place = 0;    // of a write: in modification order; the initial write has 0, those of one location differ
  std::int32_t rank = 0;     // of a seq_cst event: every edge of psc leads to a higher rank
  std::int32_t reach = 0;    // the highest rank of all that leads to this event through po and rf, itself included
  std::int32_t highest = 0;  // the highest rank of all events up to this one
};

/// What is known about seq_cst in smaller graphs: they only grow, so the next check goes on from there. For each size of the
/// graph at which the solver was asked:
///   rows     for each seq_cst event the set of those before it in every modification order (of 64 at most);
///   witness  one modification order that satisfies the axiom. It grows with the graph for as long as events fit.
class SeqCstRelations {
 public:
  /// Of the largest graph that was checked; empty if none was.
  std::span<const std::uint64_t> rows() const { return std::span(rows_).subspan(newest().first_row); }
  std::span<InWitness> witness() { return std::span(witness_).subspan(newest().first); }
  /// How many events the witness has.
  int size() const { return static_cast<int>(witness_.size() - newest().first); }
  /// Those that were there when the solver was asked.
  int solved_size() const { return newest().size; }

  void add(std::span<const std::uint64_t> rows, std::span<const InWitness> witness) {
    const std::size_t first_row = rows_.size();
    rows_.insert(rows_.end(), rows.begin(), rows.end());
    add_witness(witness, first_row);
  }
  /// The rows stay as they are.
  void add(std::span<const InWitness> witness) { add_witness(witness, newest().first_row); }
  /// One more event fits.
  void add(const InWitness& event) { witness_.push_back(event); }
  /// Becomes the newest of `other` that holds for `size` events.
  void copy_newest(const SeqCstRelations& other, int size) {
    std::size_t version = other.checked_.size();
    while (version > 0 && other.checked_[version - 1].size > size) --version;
    const Checked from = version > 0 ? other.checked_[version - 1] : Checked();
    const std::size_t end = version < other.checked_.size() ? other.checked_[version].first : other.witness_.size();
    const auto witness = std::span(other.witness_).subspan(from.first, std::min(end - from.first, static_cast<std::size_t>(size)));
    const auto rows = std::span(other.rows_).subspan(from.first_row, from.end_row - from.first_row);
    rows_.assign(rows.begin(), rows.end());
    witness_.assign(witness.begin(), witness.end());
    checked_.clear();
    if (version > 0) checked_.push_back({from.size, 0, rows.size(), 0});
  }
  void forget_above(int size) {
    if (witness_.empty() || this->size() <= size) return;  // without a witness there is nothing
    while (newest().size > size) {
      witness_.resize(newest().first);
      checked_.pop_back();
    }
    rows_.resize(newest().end_row);
    witness_.resize(std::min(witness_.size(), newest().first + static_cast<std::size_t>(size)));
  }

 private:
  struct Checked {
    int size = 0;
    std::size_t first_row = 0, end_row = 0, first = 0;
  };
  Checked newest() const { return checked_.empty() ? Checked() : checked_.back(); }
  void add_witness(std::span<const InWitness> witness, std::size_t first_row) {
    checked_.push_back({static_cast<int>(witness.size()), first_row, rows_.size(), witness_.size()});
    witness_.insert(witness_.end(), witness.begin(), witness.end());
  }

  std::vector<Checked> checked_;
  std::vector<std::uint64_t> rows_;
  std::vector<InWitness> witness_;
};

class ExecutionGraph {
 public:
  ExecutionGraph() { set_width(4); }
  ExecutionGraph(const ExecutionGraph& other) : ExecutionGraph() { copy_prefix(other, other.size_); }
  ExecutionGraph& operator=(const ExecutionGraph&) = delete;

  // --- threads and locations: declared once, in any order, never taken back by pop -------------------------------------
  void declare_thread(ThreadId thread);
  void declare_location(LocationId location, Value initial);
  int threads() const { return static_cast<int>(thread_.size()); }
  int locations() const { return location_count_; }
  int width() const { return width_; }

  // --- look-ups ----------------------------------------------------------------------------------------------------------
  int size() const { return size_; }
  Slot last() const { return Slot{size_ - 1}; }
  Event& event(Slot slot) { return first_event_[number(slot)]; }
  const Event& event(Slot slot) const { return first_event_[number(slot)]; }
  ClockEntry* row(Slot slot, Row row) { return first_row_ + row_offset(slot, row); }
  const ClockEntry* row(Slot slot, Row row) const { return first_row_ + row_offset(slot, row); }
  Slot last_of(ThreadId thread) const { return at(thread).last; }
  int count_of(ThreadId thread) const { return at(thread).count; }
  Slot creation_of(ThreadId thread) const { return at(thread).creation; }
  Slot last_write(LocationId location) const { return at(location).last_write; }
  Slot last_read(LocationId location) const { return at(location).last_read; }
  /// The last access of `thread` to `location`, or kNone.
  Slot last_here(LocationId location, ThreadId thread) const {
    return last_here_[static_cast<std::size_t>(number(location) * width_ + number(thread))];
  }
  /// The last of them with an index below `bound`. Jumps make that a logarithm of their number.
  Slot last_here_below(LocationId location, ThreadId thread, ClockEntry bound) const {
    Slot at = last_here(location, thread);
    while (at != kNone && event(at).index >= bound) {
      const Slot jump = event(at).jump_here;
      at = jump != kNone && event(jump).index >= bound ? jump : event(at).previous_here;
    }
    return at;
  }
  int writes_at(LocationId location) const { return at(location).writes; }
  /// Chains of writes (modification_order.h) that do not begin with the initial one.
  int chains_at(LocationId location) const { return at(location).chains; }
  void note_chain(LocationId location) { ++at(location).chains; }
  void forget_chains(LocationId location) { at(location).chains = 0; }
  int seq_cst_accesses_at(LocationId location) const { return at(location).seq_cst_accesses; }
  const std::vector<Slot>& seq_cst_events() const { return seq_cst_; }
  int seq_cst_fences() const { return seq_cst_fences_; }
  /// How many events are attempts.
  int attempts() const { return attempts_; }
  /// The writes with backward readers.
  const std::vector<Slot>& revisitors() const { return revisitors_; }
  /// The place of an event in its thread, attempts not counted: its name in the class.
  int place_in_class(Slot slot) const {
    int place = event(slot).index;
    if (attempts_ > 0 && number(slot) >= 0)
      for (Slot at = event(slot).previous; at != kNone; at = event(at).previous) place -= event(at).kind == EventKind::kAttempt ? 1 : 0;
    return place;
  }
  Slot last_seq_cst(ThreadId thread) const { return at(thread).last_seq_cst; }

  /// Symmetric threads (symmetry.h) are looked at. Then, and only then, the graph knows a thread's events by their places in the class.
  void set_symmetric() { is_symmetric_ = true; }
  bool is_symmetric() const { return is_symmetric_; }
  int count_in_class(ThreadId thread) const {
    const auto t = static_cast<std::size_t>(number(thread));
    return t < in_class_.size() ? static_cast<int>(in_class_[t].size()) : 0;
  }
  Slot in_class(ThreadId thread, int place) const { return in_class_[static_cast<std::size_t>(number(thread))][static_cast<std::size_t>(place)]; }

  /// `a` happens before `b`, or is `b`. Initial writes happen before everything.
  bool happens_before(Slot a, Slot b) const { return ordered(a, b, Row::kHb); }
  /// `a` reaches `b` through po ∪ rf, or is `b`.
  bool porf_before(Slot a, Slot b) const { return ordered(a, b, Row::kPorf); }

  /// Opaque bytes that travel with an event (the engine keeps the state of the event's thread there).
  void set_payload_size(std::size_t bytes);
  std::size_t payload_size() const { return payload_size_; }
  std::byte* payload(Slot slot) { return payloads_.data() + static_cast<std::size_t>(number(slot)) * payload_size_; }
  const std::byte* payload(Slot slot) const { return payloads_.data() + static_cast<std::size_t>(number(slot)) * payload_size_; }

  // --- change ------------------------------------------------------------------------------------------------------------
  /// Appends an event of `access.thread` with its links and the clocks of happens_before.cpp. `stamp` must exceed those
  /// of its thread. A write with `mo_position` > 0 is put there; those behind it move up. The rows of modification order are the caller's (consistency.h does both).
  /// REQUIRES: a read's rf, if given, is in the graph.
  Slot push(const Event& event);
  /// The same for an event that stands at `at` in `other` with all that it depends on: its clocks are copied.
  Slot push_copy(const Event& event, const ExecutionGraph& other, Slot at);
  /// Takes the last event out again and restores every row that it changed.
  void pop();
  /// An event made where it will stand once it is pushed (the next must be this one), so that it need not be copied.
  template <class Make>
  Event& draft(Make&& make) {
    if (size_ >= capacity_) [[unlikely]] reserve(static_cast<std::size_t>(size_ + 1 + initial_capacity_));
    return *::new (static_cast<void*>(&event(Slot{size_}))) Event(make());  // made there, not moved
  }
  /// Saves `slot`'s kMo row on the trail; the next pop of the event on top, or `undo`, puts it back.
  void save_mo_row(Slot slot);
  /// The length of the trail; `undo(mark)` restores all rows saved since.
  std::uint32_t mark() const { return static_cast<std::uint32_t>(trail_.size()); }
  void undo(std::uint32_t mark);
  /// Becomes a copy of the first `size` events of `other`. `is_related`: the rows of both were changed by push, pop and copy_prefix only.
  /// Then those of events that both have are not copied again.
  void copy_prefix(const ExecutionGraph& other, int size, bool is_related = false);
  void clear();

  std::uint32_t next_stamp = 0;
  int shb_valid = 0;  // rows kShb, kReleaseShb hold for slots below this
  SeqCstRelations seq_cst_relations;

 private:
  struct ThreadState {
    Slot last = kNone;
    Slot last_seq_cst = kNone;
    Slot creation = kNone;
    int count = 0;
  };
  struct LocationState {
    Slot last_write = kNone;
    Slot last_read = kNone;
    int writes = 0;  // the initial one not counted
    int chains = 0;
    int seq_cst_accesses = 0;
  };

  std::ptrdiff_t row_offset(Slot slot, Row row) const {
    return std::ptrdiff_t{number(slot)} * all_rows_ + static_cast<int>(row) * std::ptrdiff_t{width_};
  }
  ThreadState& at(ThreadId thread) { return thread_[static_cast<std::size_t>(number(thread))]; }
  const ThreadState& at(ThreadId thread) const { return thread_[static_cast<std::size_t>(number(thread))]; }
  LocationState& at(LocationId location) { return location_[static_cast<std::size_t>(number(location))]; }
  const LocationState& at(LocationId location) const { return location_[static_cast<std::size_t>(number(location))]; }
  bool ordered(Slot a, Slot b, Row which) const {
    if (number(a) < 0) return true;
    if (number(b) < 0) return false;
    const Event& first = event(a);
    return first.index < row(b, which)[number(first.thread)];
  }
  void set_width(int width);
  void grow_initial_capacity(int locations);
  void reserve(std::size_t events);
  void note_place();
  int common_with(const ExecutionGraph& other, int size) const;
  Slot take_common_rows(const ExecutionGraph& other, int size);
  Slot append(const Event& event);
  void link(Slot slot, Event& event);
  void unlink(Slot slot, const Event& event);
  void link_jump(Event& event) const;
  void enter_in_class(Slot slot, const Event& event);
  void add_backward_reader(Slot write);
  void remove_backward_reader(Slot write);
  /// Explicit modification order: writes at `from` or behind move by `by`.
  void shift_mo(LocationId location, int from, int by);

  static inline std::uint64_t serials_ = 0;
  int width_ = 0;
  int size_ = 0;
  int initial_capacity_ = 0;  // room for initial writes below slot 0
  int capacity_ = 0;          // … and for others
  int location_count_ = 0;
  int all_rows_ = 0;          // width of all rows of an event
  Event* first_event_ = nullptr;     // in slot 0
  ClockEntry* first_row_ = nullptr;  // likewise
  int seq_cst_fences_ = 0;
  int attempts_ = 0;
  bool mo_is_explicit_ = false;  // some write was given a position
  bool is_symmetric_ = false;
  std::vector<Event> events_;
  std::vector<ClockEntry> rows_;
  std::vector<ClockEntry> trail_;
  std::vector<ThreadState> thread_;
  std::vector<LocationState> location_;
  std::vector<Slot> last_here_;
  std::vector<Slot> seq_cst_;
  std::vector<Slot> revisitors_;
  std::vector<std::vector<Slot>> in_class_;  // of each thread, if the graph is symmetric
  std::size_t payload_size_ = 0;
  std::vector<std::byte> payloads_;
};

}  // namespace ordeal::model
