#include "analysis/cost.h"

#include <algorithm>
#include <vector>

namespace ordeal::analysis {

using model::Event;
using model::EventKind;
using model::ExecutionGraph;
using model::kNone;
using model::number;
using model::Slot;

namespace {

class Schedule {
 public:
  explicit Schedule(const ExecutionGraph& graph)
      : graph_(graph), threads_(static_cast<std::size_t>(graph.threads())), next_(threads_.size(), 0), is_done_(static_cast<std::size_t>(graph.size()), 0) {
    for (int l = 0; l < graph.locations(); ++l) memory_.push_back(model::initial_write(model::LocationId{l}));
    readers_.assign(static_cast<std::size_t>(graph.size() + graph.locations()), 0);
    for (int i = 0; i < graph.size(); ++i) {
      const Event& event = graph.event(Slot{i});
      if (event.kind == EventKind::kAttempt) continue;
      threads_[static_cast<std::size_t>(number(event.thread))].push_back(Slot{i});
      ++cost_.events;
      if (event.kind == EventKind::kRead) ++readers(event.rf);
    }
  }

  Cost run() {
    for (int left = cost_.events; left > 0;) {
      const std::size_t thread = choose();
      if (thread != running_ && running_ != kNobody) ++cost_.switches;
      running_ = thread;
      left -= step(thread);
    }
    return cost_;
  }

 private:
  static constexpr std::size_t kNobody = ~std::size_t{0};
  enum class Ease : std::uint8_t { kNot, kStore, kOldRead, kAtOnce };  // a later one is preferred

  int& readers(Slot write) { return readers_[static_cast<std::size_t>(number(write) + graph_.locations())]; }
  bool is_done(Slot slot) const { return number(slot) < 0 || is_done_[static_cast<std::size_t>(number(slot))] != 0; }
  bool has_more(std::size_t thread) const { return next_[thread] < threads_[thread].size(); }
  Slot last_write(const Event& event) const { return memory_[static_cast<std::size_t>(number(event.location))]; }

  std::size_t choose() {
    std::size_t best = kNobody;
    Ease ease = Ease::kNot;
    for (std::size_t i = 0; i <= threads_.size(); ++i) {  // the running one first
      const std::size_t thread = i == 0 ? running_ : i - 1;
      if (thread == kNobody || !has_more(thread)) continue;
      const Ease here = ease_of(threads_[thread][next_[thread]]);
      if (here > ease) best = thread, ease = here;
      if (ease == Ease::kAtOnce) break;
    }
    if (best != kNobody) return best;
    for (best = 0; !has_more(best);) ++best;  // only in load buffering: a read goes before what it reads
    return best;
  }

  Ease ease_of(Slot slot) {
    const Event& event = graph_.event(slot);
    if (event.previous == kNone && graph_.creation_of(event.thread) != kNone && !is_done(graph_.creation_of(event.thread))) return Ease::kNot;
    switch (event.kind) {
      case EventKind::kJoin: return has_more(static_cast<std::size_t>(number(event.access.other))) ? Ease::kNot : Ease::kAtOnce;
      case EventKind::kWake: return is_done(event.rf) ? Ease::kAtOnce : Ease::kNot;
      case EventKind::kRead:
        if (event.rf == kNone || !is_done(event.rf)) return Ease::kNot;
        if (last_write(event) != event.rf) return Ease::kOldRead;
        return event.is_rmw && readers(event.rf) > 1 ? Ease::kStore : Ease::kAtOnce;
      case EventKind::kWrite: return !event.is_rmw && readers(last_write(event)) > 0 ? Ease::kStore : Ease::kAtOnce;
      default: return Ease::kAtOnce;
    }
  }

  /// The next event of the thread, with its other half; how many that is.
  int step(std::size_t thread) {
    const Event& event = graph_.event(add(thread));
    if (event.kind != EventKind::kRead || !event.is_rmw || !has_more(thread)) return 1;
    const Event& second = graph_.event(threads_[thread][next_[thread]]);
    if (second.kind != EventKind::kWrite || !second.is_rmw) return 1;
    add(thread);
    return 2;
  }
  Slot add(std::size_t thread) {
    const Slot slot = threads_[thread][next_[thread]++];
    const Event& event = graph_.event(slot);
    is_done_[static_cast<std::size_t>(number(slot))] = 1;
    if (event.kind == EventKind::kRead) {
      if (event.rf != kNone) --readers(event.rf);
      if (last_write(event) != event.rf) ++cost_.weak_reads;
    }
    if (event.kind == EventKind::kWrite) memory_[static_cast<std::size_t>(number(event.location))] = slot;
    return slot;
  }

  const ExecutionGraph& graph_;
  std::vector<std::vector<Slot>> threads_;
  std::vector<std::size_t> next_;
  std::vector<char> is_done_;
  std::vector<Slot> memory_;   // by location: the last store so far
  std::vector<int> readers_;   // by store, the initial ones first: who is still to read it
  std::size_t running_ = kNobody;
  Cost cost_;
};

}  // namespace

Cost cost_of(const ExecutionGraph& graph) { return Schedule(graph).run(); }

}  // namespace ordeal::analysis
