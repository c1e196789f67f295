#include "analysis_support.h"

#include <string>
#include <vector>

namespace ordeal::analysis::testing {

using model::EventKind;
using model::Slot;
using model::ThreadId;
using trace::TraceEvent;

namespace {

class PlainNames final : public trace::Names {
 public:
  std::string thread(ThreadId thread) const override { return "P" + std::to_string(number(thread)); }
  std::string location(model::LocationId location) const override { return "x" + std::to_string(number(location)); }
  std::uint32_t line(const model::Event& event) const override { return static_cast<std::uint32_t>(number(event.thread) * 100 + event.index + 1); }
};

}  // namespace

trace::Trace trace_of(model::ExecutionGraph& graph, model::Model model) {
  const engine::Execution execution{engine::Ending::kComplete, engine::Cut::kNothing, graph};
  return trace::record(execution, PlainNames(), "random", std::string(model::name_of(model)));
}

void finish_rmws(model::testing::RandomGraph& random) {
  const auto is_open = [&](ThreadId thread) {
    const Slot last = random.graph.last_of(thread);
    return last != model::kNone && random.graph.event(last).kind == EventKind::kRead && random.graph.event(last).is_rmw;
  };
  for (bool changed = true; changed;) {
    changed = false;
    for (int t = 0; t < random.graph.threads(); ++t)
      if (is_open(ThreadId{t})) {
        random.pop();
        changed = true;
        break;
      }
  }
}

bool change_a_source(trace::Trace& trace, base::Rng& rng) {
  std::vector<std::size_t> reads;
  for (std::size_t i = 0; i < trace.events.size(); ++i)
    if (trace.events[i].kind == EventKind::kRead) reads.push_back(i);
  if (reads.empty()) return false;
  TraceEvent& read = trace.events[reads[static_cast<std::size_t>(rng.below(static_cast<int>(reads.size())))]];
  std::vector<const TraceEvent*> writes;
  for (const TraceEvent& event : trace.events)
    if (event.kind == EventKind::kWrite && event.location == read.location) writes.push_back(&event);
  const int chosen = rng.below(static_cast<int>(writes.size()) + 1);
  if (chosen == 0) {
    read.rf = {-1, read.location};
    read.value = trace.locations[static_cast<std::size_t>(read.location)].initial;
  } else {
    read.rf = writes[static_cast<std::size_t>(chosen) - 1]->name;
    read.value = writes[static_cast<std::size_t>(chosen) - 1]->value;
  }
  return true;
}

namespace {

class Turns {
 public:
  explicit Turns(const trace::Trace& trace) : trace_(trace), next_(trace.threads.size(), 0) {
    for (std::size_t l = 0; l < trace.locations.size(); ++l) memory_.push_back({-1, static_cast<std::int32_t>(l)});
  }
  bool go_on() {
    bool is_over = true;
    for (std::size_t t = 0; t < next_.size(); ++t) {
      const TraceEvent* event = find({static_cast<std::int32_t>(t), next_[t]});
      if (event == nullptr) continue;
      is_over = false;
      if (!may_go(*event)) continue;
      const std::vector<trace::EventName> memory = memory_;
      if (event->kind == EventKind::kWrite) memory_[static_cast<std::size_t>(event->location)] = event->name;
      ++next_[t];
      if (go_on()) return true;
      --next_[t];
      memory_ = memory;
    }
    return is_over;
  }

 private:
  const TraceEvent* find(const trace::EventName& name) const {
    for (const TraceEvent& event : trace_.events)
      if (event.name == name) return &event;
    return nullptr;
  }
  bool may_go(const TraceEvent& event) const {
    const trace::EventName last = event.location < 0 ? trace::EventName() : memory_[static_cast<std::size_t>(event.location)];
    for (const TraceEvent& other : trace_.events)
      if (other.kind == EventKind::kCreate && other.other == event.name.thread && next_[static_cast<std::size_t>(other.name.thread)] <= other.name.index) return false;
    if (event.kind == EventKind::kJoin) return find({event.other, next_[static_cast<std::size_t>(event.other)]}) == nullptr;
    if (event.kind == EventKind::kRead) return event.rf == last;
    if (event.kind == EventKind::kWrite && event.is_rmw) return find({event.name.thread, event.name.index - 1})->rf == last;
    return true;
  }

  const trace::Trace& trace_;
  std::vector<std::int32_t> next_;
  std::vector<trace::EventName> memory_;
};

}  // namespace

bool has_interleaving(const trace::Trace& trace) { return Turns(trace).go_on(); }

bool happens_in_order(const model::ExecutionGraph& graph) {
  for (int i = 0; i < graph.size(); ++i)
    for (int j = i + 1; j < graph.size(); ++j)
      if (graph.happens_before(Slot{j}, Slot{i})) return false;
  return true;
}

}  // namespace ordeal::analysis::testing
