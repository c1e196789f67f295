#include "analysis/candidates.h"

#include <algorithm>

#include "model/modification_order.h"

namespace ordeal::analysis {

using model::Event;
using model::EventKind;
using model::ExecutionGraph;
using model::kNone;
using model::number;
using model::Slot;
using trace::TraceEvent;

namespace {

/// One read and what is left of the execution without it.
class Alternatives {
 public:
  Alternatives(const trace::Trace& trace, const GraphOfTrace& whole, std::size_t read)
      : trace_(trace), whole_(whole.graph()), read_(read), kept_(independent()), left_(trace, kept_) {
    own_.read = whole_.event(Slot{index(read)});
    if (own_.read.is_rmw) own_.write = whole_.event(Slot{write_of_read()});
    make_other();
  }

  ReadChoices choices() {
    ReadChoices out{index(read_), {}};
    const Event& read = whole_.event(Slot{out.read});
    out.stores.push_back(judge(number(model::initial_write(read.location))));
    for (int i = 0; i < whole_.size(); ++i)
      if (whole_.event(Slot{i}).kind == EventKind::kWrite && whole_.event(Slot{i}).location == read.location) out.stores.push_back(judge(i));
    return out;
  }

 private:
  /// The read as a load, or with the write of a read-modify-write.
  struct Form {
    Event read, write;
  };
  /// What a compare-exchange is that goes the other way. What it writes is of no account.
  void make_other() {
    other_.read = own_.read;
    other_.read.order = other_.read.access.order = other_.read.access.failure_order = trace_.events[read_].otherwise;
    other_.read.is_rmw = !own_.read.is_rmw;
    other_.read.failed_spuriously = false;
    other_.read.access.function = other_.read.is_rmw ? model::RmwFunction::kExchange : model::RmwFunction::kNone;
    other_.write = other_.read;
    other_.write.kind = other_.write.access.kind = EventKind::kWrite;
    ++other_.write.stamp;
  }
  bool is_expected(EventIndex store) const {
    const TraceEvent& read = trace_.events[read_];
    return read.expected == (store < 0 ? trace_.locations[static_cast<std::size_t>(read.location)].initial : trace_.events[static_cast<std::size_t>(store)].value);
  }

  static EventIndex index(std::size_t event) { return static_cast<EventIndex>(event); }

  std::vector<std::size_t> independent() const {
    std::vector<std::size_t> kept;
    for (std::size_t i = 0; i < trace_.events.size(); ++i)
      if (!whole_.porf_before(Slot{index(read_)}, Slot{index(i)})) kept.push_back(i);
    return kept;
  }
  /// The slot, in what is left, of an event; kNone: it depends on the read.
  Slot slot_of(EventIndex event) const {
    if (event < 0) return Slot{event};
    const auto found = std::lower_bound(kept_.begin(), kept_.end(), static_cast<std::size_t>(event));
    return found != kept_.end() && *found == static_cast<std::size_t>(event) ? Slot{static_cast<EventIndex>(found - kept_.begin())} : kNone;
  }
  EventIndex event_at(Slot slot) const { return number(slot) < 0 ? number(slot) : index(kept_[static_cast<std::size_t>(number(slot))]); }

  Candidate judge(EventIndex store) {
    if (Slot{store} == own_.read.rf) return {store, Exclusion::kNone, kNoEvent};
    if (!trace_.events[read_].expected) return judge(store, own_);
    const bool succeeds = is_expected(store);
    Candidate found = judge(store, succeeds == own_.read.is_rmw ? own_ : other_);
    if (succeeds != own_.read.is_rmw) found.outcome = succeeds ? Outcome::kSucceeds : Outcome::kFails;
    if (found.why == Exclusion::kNone || !succeeds || !trace_.events[read_].is_weak) return found;
    Candidate spurious = judge(store, own_.read.is_rmw ? other_ : own_);
    spurious.outcome = Outcome::kFailsSpuriously;
    return spurious.why == Exclusion::kNone ? spurious : found;
  }

  Candidate judge(EventIndex store, const Form& form) {
    const Slot source = slot_of(store);
    if (source == kNone) return {store, Exclusion::kLater, kNoEvent};
    if (!left_.consistency().mo_is_explicit()) {
      if (const EventIndex newer = newer_before(source, EventKind::kWrite); newer != kNoEvent) return {store, Exclusion::kOverwritten, newer};
      if (const EventIndex newer = newer_before(source, EventKind::kRead); newer != kNoEvent) return {store, Exclusion::kSeenNewer, newer};
    }
    if (const EventIndex taker = form.read.is_rmw ? taker_of(source) : kNoEvent; taker != kNoEvent) return {store, Exclusion::kTaken, taker};
    if (is_allowed(source, form)) return {store, Exclusion::kNone, kNoEvent};
    return {store, left_.consistency().mo_is_explicit() ? Exclusion::kModel : Exclusion::kSeqCst, kNoEvent};
  }

  /// The last access of this kind that happens before the read and is behind `source` in modification order.
  EventIndex newer_before(Slot source, EventKind kind) const {
    const ExecutionGraph& left = left_.graph();
    const Event& read = whole_.event(Slot{index(read_)});
    const Slot last = kind == EventKind::kWrite ? left.last_write(read.location) : left.last_read(read.location);
    for (Slot at = last; at != kNone; at = left.event(at).previous_at_location) {
      const Slot position = model::position_of(left, at);
      if (position == source || !forced_before(left, source, position)) continue;
      if (happens_before_read(at)) return event_at(at);
    }
    return kNoEvent;
  }
  /// What the read learns from what it reads does not count: with another source it would not.
  bool happens_before_read(Slot slot) const {
    const Event& read = whole_.event(Slot{index(read_)});
    const Slot before = read.previous != kNone ? read.previous : whole_.creation_of(read.thread);
    return before != kNone && whole_.happens_before(Slot{event_at(slot)}, before);
  }

  EventIndex taker_of(Slot source) const {
    const ExecutionGraph& left = left_.graph();
    for (Slot at = left.last_write(whole_.event(Slot{index(read_)}).location); at != kNone; at = left.event(at).previous_at_location)
      if (left.event(at).is_rmw && left.event(at).rf == source) return event_at(at);
    return kNoEvent;
  }

  bool is_allowed(Slot source, const Form& form) {
    if (left_.is_out_of_order()) return is_allowed_anew(source, form);
    ExecutionGraph& left = left_.graph();
    Event read = form.read;
    const int size = left.size();
    read.rf = source;
    bool holds = left_.consistency().push_read(left, read);
    if (holds && read.is_rmw) {
      Event write = form.write;
      write.rf = source;
      if (left_.consistency().mo_is_explicit()) write.mo_position = left.event(source).mo_position + 1;
      holds = left_.consistency().push_write(left, write);
    }
    while (left.size() > size) left.pop();
    return holds;
  }
  EventIndex write_of_read() const {
    const Event& read = whole_.event(Slot{index(read_)});
    EventIndex at = index(read_) + 1;
    while (whole_.event(Slot{at}).thread != read.thread) ++at;
    return at;
  }

  /// From the definitions, as the order of events says nothing.
  bool is_allowed_anew(Slot source, const Form& form) const {
    trace::Trace changed = trace_;
    std::vector<std::size_t> events = kept_;
    events.push_back(read_);
    changed.events[read_].is_rmw = form.read.is_rmw;
    changed.events[read_].order = form.read.order;
    if (form.read.is_rmw && own_.read.is_rmw) events.push_back(static_cast<std::size_t>(write_of_read()));
    if (form.read.is_rmw && !own_.read.is_rmw) {  // it has none: one behind all
      TraceEvent write = changed.events[read_];
      write.kind = EventKind::kWrite;
      ++write.name.index;
      changed.events.push_back(write);
      events.push_back(changed.events.size() - 1);
    }
    std::sort(events.begin(), events.end());
    const EventIndex store = event_at(source);
    changed.events[read_].rf = store < 0 ? trace::EventName{-1, -1 - store} : trace_.events[static_cast<std::size_t>(store)].name;
    return GraphOfTrace(changed, events).is_consistent();
  }

  const trace::Trace& trace_;
  const ExecutionGraph& whole_;
  std::size_t read_;
  std::vector<std::size_t> kept_;
  GraphOfTrace left_;
  Form own_, other_;  // as it was; of a compare-exchange: had it gone the other way
};

}  // namespace

ReadChoices choices_of_read(const trace::Trace& trace, const GraphOfTrace& of_trace, std::size_t read) {
  return Alternatives(trace, of_trace, read).choices();
}

std::vector<ReadChoices> choices_of_reads(const trace::Trace& trace, const GraphOfTrace& of_trace) {
  std::vector<ReadChoices> all;
  for (std::size_t i = 0; i < trace.events.size(); ++i)
    if (trace.events[i].kind == EventKind::kRead) all.push_back(choices_of_read(trace, of_trace, i));
  return all;
}

std::vector<ReadChoices> choices_of_reads(const trace::Trace& trace) {
  const GraphOfTrace of_trace(trace);
  return of_trace.is_consistent() ? choices_of_reads(trace, of_trace) : std::vector<ReadChoices>();
}

}  // namespace ordeal::analysis
