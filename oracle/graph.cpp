#include "oracle/graph.h"

namespace ordeal::oracle {

using litmus::Value;

Set Graph::writes_of(int location) const {
  Set writes = 0;
  for (int e = 0; e < size(); ++e)
    if (events[e].writes() && events[e].location == location) writes |= singleton(e);
  return writes;
}

std::string Graph::key() const {
  std::string key;
  for (int thread = 0; thread < static_cast<int>(threads.size()); ++thread) {
    key.push_back('T');
    for (const Event& event : events) {  // those of one thread stand in program order
      if (event.thread != thread) continue;
      key.push_back('E');
      if (!event.reads()) continue;
      key.append(reinterpret_cast<const char*>(&event.value_read), sizeof event.value_read);
      key.push_back(event.failed_spuriously ? 'f' : ' ');
      const bool is_promised = event.source < 0;
      key.push_back(is_promised ? '?' : '!');
      key.push_back(static_cast<char>(is_promised ? event.promised_by : events[event.source].thread));
      key.push_back(static_cast<char>(is_promised ? 0 : events[event.source].index));
    }
  }
  return key;
}

Event make_event(const Node& node, Answer answer) {
  const Step& step = node.step;
  Event event;
  event.thread = node.thread;
  event.index = static_cast<int>(node.answers.size());
  event.location = step.location;
  event.order = step.order;
  event.value_read = answer.value;
  switch (step.kind) {
    case Step::Kind::kLoad: event.kind = Event::Kind::kRead; break;
    case Step::Kind::kStore:
      event.kind = Event::Kind::kWrite;
      event.value_written = step.type.convert(step.operand);
      break;
    case Step::Kind::kRmw:
      event.kind = Event::Kind::kRmw;
      event.value_written = step.type.convert(apply(step.rmw_op, answer.value, step.operand));
      break;
    case Step::Kind::kCompareExchange:
      if (answer.value == step.expected && !answer.fails_spuriously) {
        event.kind = Event::Kind::kRmw;
        event.value_written = step.type.convert(step.operand);
      } else {
        event.kind = Event::Kind::kRead;
        event.order = step.failure_order;
        event.is_failed_compare_exchange = true;
        event.failed_spuriously = answer.fails_spuriously;
      }
      break;
    case Step::Kind::kFence: event.kind = Event::Kind::kFence; break;
    case Step::Kind::kEnd:
    case Step::Kind::kCut:
    case Step::Kind::kBadAccess: break;  // no events
  }
  return event;
}

Graph Graphs::start() {
  if (location_count() > kMaxEvents) throw GaveUp{};
  Graph graph;
  for (int location = 0; location < location_count(); ++location) {
    Event event;
    event.index = location;
    event.location = location;
    event.value_written = test_.locations[location].initial;
    graph.events.push_back(event);
  }
  for (int thread = 0; thread < thread_count(); ++thread) graph.threads.push_back(program_.start(thread));
  return graph;
}

Graph Graphs::extend(const Graph& graph, int thread, Answer answer) {
  if (graph.size() == kMaxEvents) throw GaveUp{};
  Graph result = graph;
  result.events.push_back(make_event(*graph.threads[thread], answer));
  result.threads[thread] = program_.next(graph.threads[thread], answer);
  return result;
}

std::vector<Answer> Graphs::answers(const Step& step, Value value) const {
  std::vector<Answer> result{{value, false}};
  const bool could_succeed = step.kind == Step::Kind::kCompareExchange && value == step.expected;
  if (could_succeed && step.is_weak && spurious_) result.push_back({value, true});
  return result;
}

void Graphs::for_each_read(const Graph& graph, int thread, int first, const Visit& visit) {
  const Step& step = graph.threads[thread]->step;
  for (int source = first; source < graph.size(); ++source) {
    const Event& write = graph.events[source];
    if (!write.writes() || write.location != step.location) continue;
    for (const Answer answer : answers(step, write.value_written)) {
      Graph more = extend(graph, thread, answer);
      more.events.back().source = source;
      visit(more);
    }
  }
}

Graph Graphs::part(const Graph& graph, Set done) {
  Graph result = start();
  std::vector<int> renamed(graph.events.size(), -1);
  for (int e = 0; e < graph.size(); ++e) {
    if (!contains(done, e)) continue;
    const Event& event = graph.events[e];
    renamed[e] = event.is_initial() ? e : result.size();
    if (event.is_initial()) continue;
    Node*& node = result.threads[event.thread];
    node = next(node, {event.value_read, event.failed_spuriously});
    result.events.push_back(event);
  }
  for (Event& event : result.events) {
    if (!event.reads()) continue;
    const int promiser = graph.events[event.source].thread;
    event.source = renamed[event.source];
    event.promised_by = event.source < 0 ? promiser : -1;
  }
  return result;
}

}  // namespace ordeal::oracle
