// What the writes to each location were seen to write, by any thread in any execution of a search, and when: so many events of its thread after the thread's last RMW, and what that had
// read; or by which thread, if that had made none.
//
// Whoever concludes from that that something does not come up *relies* on it: on all values of a location, or on how late a thread writes a certain value. If another
// write shows that this was wrong, what is known is *refuted*: the search starts again, and knows more.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "model/execution_graph.h"

namespace ordeal::model {

class SeenWrites {
 public:
  /// What an RMW has read: whoever else reads that is no RMW, unless it comes up again.
  struct Taken {
    LocationId location = kNoLocation;  // kNoLocation: there was no RMW
    Value value = 0;
    bool operator==(const Taken&) const = default;
  };
  struct By {
    Value value;
    Taken taken;          // by the thread's last RMW up to this write …
    ThreadId thread;      // … or, if there is none, the thread; kNoThread: any
    std::int32_t latest;  // the most events that came between; without an RMW the greatest index of the write
  };

  /// The write on top of the graph. Writes are noted when they are made for the first time, and may be noted again.
  void note(const ExecutionGraph& graph) {
    const Event& write = graph.event(graph.last());
    const Slot rmw = last_rmw(graph, graph.last());
    if (rmw == kNone)
      note_value(write.location, {write.value, {}, write.thread, write.index});
    else
      note_value(write.location, {write.value, taken_by(graph, rmw), kNoThread, write.index - graph.event(rmw).index});
  }
  /// The location holds `value` before anything is written.
  void note_initial(LocationId location, Value value) { note_value(location, {value, {}, kNoThread, -1}); }
  /// The write of the last RMW of the thread of `at`, up to there; kNone: there is none among its last events.
  static Slot last_rmw(const ExecutionGraph& graph, Slot at) {
    constexpr int kMostEvents = 64;
    for (int i = 0; i < kMostEvents && at != kNone; ++i, at = graph.event(at).previous)
      if (graph.event(at).kind == EventKind::kWrite && graph.event(at).is_rmw) return at;
    return kNone;
  }
  static Taken taken_by(const ExecutionGraph& graph, Slot rmw) {
    return {graph.event(rmw).location, graph.event(graph.event(rmw).rf).value};
  }
  /// Locks are there: they displace others without being read (explore/waiting.h).
  void note_lock() {
    is_refuted_ |= relies_on_no_locks_ && !has_locks_;
    has_locks_ = true;
  }

  /// Whether there are no locks. Relies on that.
  bool has_no_locks() {
    relies_on_no_locks_ |= !has_locks_;
    return !has_locks_;
  }
  /// All values that were seen there; empty: there are too many. Relies on there being no others.
  std::span<const Value> values(LocationId location) {
    At& at = this->at(location);
    at.relies_on_values = true;
    return at.values;
  }
  /// Whether `may_come` is true of some write of `value` that was seen there. Relies on there being no others, if not.
  template <class MayCome>
  bool any(LocationId location, Value value, MayCome&& may_come) {
    if (at(location).are_too_many) return true;
    for (std::size_t i = 0; i < at(location).by.size(); ++i)
      if (const By by = at(location).by[i]; by.value == value && by.latest >= 0 && may_come(by)) return true;
    std::vector<Value>& relied_on = at(location).relied_on;
    if (std::find(relied_on.begin(), relied_on.end(), value) == relied_on.end()) relied_on.push_back(value);
    return false;
  }

  /// What somebody relied on does not hold.
  bool is_refuted() const { return is_refuted_; }
  /// Nobody relies on anything. What was seen stays.
  void begin_round() {
    is_refuted_ = relies_on_no_locks_ = false;
    for (At& at : at_) {
      at.relies_on_values = false;
      at.relied_on.clear();
    }
  }

 private:
  static constexpr std::size_t kMost = 128;  // of a location
  struct At {
    bool are_too_many = false;
    std::vector<Value> values;
    std::vector<By> by;
    std::vector<Value> relied_on;  // somebody relies on how late these are written
    bool relies_on_values = false;
  };

  At& at(LocationId location) {
    const auto n = static_cast<std::size_t>(number(location));
    if (n >= at_.size()) at_.resize(n + 1);
    return at_[n];
  }
  void note_value(LocationId location, const By& write) {
    At& at = this->at(location);
    if (at.are_too_many) return;
    for (By& by : at.by) {
      if (by.value != write.value || by.thread != write.thread || by.taken != write.taken) continue;
      if (write.latest > by.latest) note_later(at, by, write.latest);
      return;
    }
    note_first(at, write);
  }
  [[gnu::noinline]] void note_later(At& at, By& by, std::int32_t index) {
    by.latest = index;
    refute_if_relied_on(at, by.value);
  }
  [[gnu::noinline]] void note_first(At& at, const By& by) {
    if (at.by.size() == kMost) return give_up(at);
    at.by.push_back(by);
    refute_if_relied_on(at, by.value);
    if (std::find(at.values.begin(), at.values.end(), by.value) != at.values.end()) return;
    at.values.push_back(by.value);
    is_refuted_ |= at.relies_on_values;
  }
  void give_up(At& at) {
    is_refuted_ |= at.relies_on_values || !at.relied_on.empty();
    at = At();
    at.are_too_many = true;
  }
  void refute_if_relied_on(const At& at, Value value) {
    is_refuted_ |= std::find(at.relied_on.begin(), at.relied_on.end(), value) != at.relied_on.end();
  }

  std::vector<At> at_;
  bool has_locks_ = false, relies_on_no_locks_ = false, is_refuted_ = false;
};

}  // namespace ordeal::model
