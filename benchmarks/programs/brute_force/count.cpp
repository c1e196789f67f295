#include "count.h"

#include <string>
#include <unordered_set>

#include "axioms.h"

namespace {

struct Graph {
  explicit Graph(std::size_t threads) : answers(threads), threads(threads), pending(threads), state(threads) {}

  std::vector<std::vector<Answer>> answers;
  std::vector<Event> events;
  std::vector<std::vector<int>> threads;  // their events
  std::vector<Event> pending;
  enum State : char { kNotCreated, kAsks, kEnded };
  std::vector<State> state;

  // What the threads do follows from the answers.
  std::string name() const {
    std::string result;
    for (const auto& list : answers) {
      for (const Answer& answer : list) result += {static_cast<char>(answer.thread), static_cast<char>(answer.index)};
      result += '|';
    }
    return result;
  }
};

class Counter {
 public:
  Counter(const Program& program, const std::map<int, Value>& initial) : program_(program), initial_(initial) {}

  Count count() {
    Graph start(program_.size());
    if (run(start, 0)) work_.push_back(std::move(start));
    Count result;
    while (!work_.empty()) {
      const Graph graph = std::move(work_.back());
      work_.pop_back();
      ++result.graphs;
      bool is_complete = true;
      for (std::size_t thread = 0; thread < program_.size(); ++thread) {
        is_complete &= graph.state[thread] == Graph::kEnded;
        if (graph.state[thread] == Graph::kAsks) answer(graph, static_cast<int>(thread));
      }
      result.classes += is_complete;
    }
    return result;
  }

 private:
  void answer(const Graph& graph, int thread) {
    const Event& question = graph.pending[thread];
    if (question.kind == Kind::kJoin) {
      if (graph.state[question.other] == Graph::kEnded) extend(graph, thread, {});
      return;
    }
    const auto initial = initial_.find(question.location);
    extend(graph, thread, {.value = initial == initial_.end() ? 0 : initial->second});
    for (const Event& event : graph.events)
      if (event.writes() && event.location == question.location)
        extend(graph, thread, {event.thread, event.index, event.written});
  }

  void extend(Graph graph, int thread, Answer answer) {
    graph.answers[thread].push_back(answer);
    if (!seen_.insert(graph.name()).second) return;
    if (run(graph, thread) && is_consistent(graph.events, graph.threads)) work_.push_back(std::move(graph));
  }

  // Runs a thread to its next question, and those that it creates. False: it waits in vain.
  bool run(Graph& graph, int thread) {
    Context context(thread, graph.answers[thread]);
    graph.state[thread] = Graph::kEnded;
    try {
      program_[thread](context);
    } catch (Context::Pending) {
      graph.state[thread] = Graph::kAsks;
      graph.pending[thread] = context.pending();
    } catch (Context::Blocked) {
      return false;
    }
    const std::size_t known = graph.threads[thread].size();
    std::size_t asked = 0;
    for (Event event : context.events()) {
      const bool is_new = event.index >= static_cast<int>(known);
      if (is_new) add(graph, event, event.reads() ? graph.answers[thread][asked] : Answer{});
      asked += event.asks();
      if (is_new && event.kind == Kind::kCreate && !run(graph, event.other)) return false;
    }
    return true;
  }

  static void add(Graph& graph, Event event, const Answer& answer) {
    if (answer.thread >= 0) event.rf = graph.threads[answer.thread][answer.index];
    graph.threads[event.thread].push_back(static_cast<int>(graph.events.size()));
    graph.events.push_back(event);
  }

  const Program& program_;
  const std::map<int, Value>& initial_;
  std::vector<Graph> work_;
  std::unordered_set<std::string> seen_;
};

}  // namespace

Count count_classes(const Program& program, const std::map<int, Value>& initial) {
  return Counter(program, initial).count();
}
