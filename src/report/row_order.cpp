#include "report/row_order.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

namespace ordeal::report {
namespace {

using model::EventKind;
using trace::TraceEvent;

constexpr int kMostOldReads = 4;
constexpr std::size_t kMostSteps = 20'000;  // a few milliseconds
constexpr std::size_t kMostEvents = 2'000;

class Search {
 public:
  explicit Search(const trace::Trace& trace) : trace_(trace), threads_(trace.threads.size()) {
    for (std::size_t i = 0; i < trace.events.size(); ++i) {
      const TraceEvent& event = trace.events[i];
      index_[{event.name.thread, event.name.index}] = i;
      threads_[static_cast<std::size_t>(event.name.thread)].push_back(i);
      if (event.kind == EventKind::kCreate && is_thread(event.other)) created_[event.other] = i;
    }
    place_.assign(threads_.size(), 0);
    is_done_.assign(trace.events.size(), false);
    last_.assign(trace.locations.size(), -1);
  }

  /// With at most so many reads of older writes.
  bool find(int old_reads) {
    seen_.clear();
    steps_ = 0;
    return step(-1, old_reads);
  }
  bool was_cut() const { return steps_ >= kMostSteps; }
  const std::vector<std::size_t>& order() const { return order_; }

 private:
  bool is_thread(std::int32_t thread) const {
    return thread >= 0 && static_cast<std::size_t>(thread) < threads_.size();
  }

  bool step(std::int32_t running, int old_reads) {
    if (order_.size() == trace_.events.size()) return true;
    if (++steps_ >= kMostSteps || !seen_.insert(state(old_reads)).second) return false;
    for (const std::int32_t thread : candidates(running))
      if (run(thread, old_reads)) return true;
    return false;
  }

  /// What decides how it can go on: where each thread is, what is in memory, what is still allowed.
  std::vector<std::int32_t> state(int old_reads) const {
    std::vector<std::int32_t> all(place_.begin(), place_.end());
    all.insert(all.end(), last_.begin(), last_.end());
    all.push_back(old_reads);
    return all;
  }

  /// The running thread first, the others as they come in the trace.
  std::vector<std::int32_t> candidates(std::int32_t running) const {
    std::vector<std::int32_t> found;
    for (std::size_t t = 0; t < threads_.size(); ++t)
      if (static_cast<std::size_t>(place_[t]) < threads_[t].size()) found.push_back(static_cast<std::int32_t>(t));
    std::sort(found.begin(), found.end(),
              [&](std::int32_t a, std::int32_t b) { return a == running || (b != running && next(a) < next(b)); });
    return found;
  }
  std::size_t next(std::int32_t thread) const {
    const auto t = static_cast<std::size_t>(thread);
    return threads_[t][static_cast<std::size_t>(place_[t])];
  }

  /// The next event of a thread, with its other half, then all the rest.
  bool run(std::int32_t thread, int old_reads) {
    const auto t = static_cast<std::size_t>(thread);
    const std::vector<std::int32_t> memory = last_;
    const std::size_t first = next(thread);
    const int left = add(first, old_reads);
    if (left < 0) return false;
    std::size_t count = 1;
    if (trace_.events[first].is_rmw && trace_.events[first].kind == EventKind::kRead && has_more(t)) {
      const std::size_t second = next(thread);
      if (trace_.events[second].is_rmw && trace_.events[second].kind == EventKind::kWrite)
        count += add(second, 0) >= 0 ? 1 : 0;
    }
    if (step(thread, left)) return true;
    for (; count > 0; --count) {
      is_done_[order_.back()] = false;
      order_.pop_back();
      --place_[t];
    }
    last_ = memory;
    return false;
  }
  bool has_more(std::size_t t) const { return static_cast<std::size_t>(place_[t]) < threads_[t].size(); }

  /// How many reads of older writes are allowed from here on; -1: it cannot come here.
  int add(std::size_t index, int old_reads) {
    const TraceEvent& event = trace_.events[index];
    if (!can_begin(event) || !can_join(event)) return -1;
    if (event.kind == EventKind::kRead || event.kind == EventKind::kWake) {
      const std::int32_t source = source_of(event);
      if (source >= 0 && !is_done_[static_cast<std::size_t>(source)]) return -1;
      const bool is_old = event.kind == EventKind::kRead && last_[static_cast<std::size_t>(event.location)] != source;
      if (is_old && --old_reads < 0) return -1;
    }
    if (event.kind == EventKind::kWrite)
      last_[static_cast<std::size_t>(event.location)] = static_cast<std::int32_t>(index);
    is_done_[index] = true;
    order_.push_back(index);
    ++place_[static_cast<std::size_t>(event.name.thread)];
    return old_reads;
  }
  bool can_begin(const TraceEvent& event) const {
    const auto created = created_.find(event.name.thread);
    return created == created_.end() || is_done_[created->second];
  }
  bool can_join(const TraceEvent& event) const {
    return event.kind != EventKind::kJoin || !is_thread(event.other) ||
           !has_more(static_cast<std::size_t>(event.other));
  }
  std::int32_t source_of(const TraceEvent& event) const {
    const auto found = index_.find({event.rf.thread, event.rf.index});
    return found == index_.end() ? -1 : static_cast<std::int32_t>(found->second);
  }

  const trace::Trace& trace_;
  std::vector<std::vector<std::size_t>> threads_;  // their events
  std::map<std::pair<std::int32_t, std::int32_t>, std::size_t> index_;
  std::map<std::int32_t, std::size_t> created_;  // by thread: the event that created it
  std::vector<std::int32_t> place_;              // how many events of each thread are placed
  std::vector<std::int32_t> last_;               // by location: the write that is in memory, -1 the initial one
  std::vector<bool> is_done_;
  std::vector<std::size_t> order_;
  std::set<std::vector<std::int32_t>> seen_;
  std::size_t steps_ = 0;
};

}  // namespace

RowOrder row_order(const trace::Trace& trace) {
  RowOrder result;
  bool is_certain = trace.events.size() <= kMostEvents;
  for (int old_reads = 0; old_reads <= kMostOldReads && is_certain; ++old_reads) {
    Search search(trace);
    if (search.find(old_reads)) {
      result.events = search.order();
      result.is_interleaving = old_reads == 0;
      return result;
    }
    is_certain = !search.was_cut();
    result.is_weak |= old_reads == 0 && is_certain;
  }
  result.events.resize(trace.events.size());
  std::iota(result.events.begin(), result.events.end(), std::size_t{0});
  return result;
}

}  // namespace ordeal::report
