#include "analysis/relations.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "analysis_support.h"
#include "tests/support/naive.h"
#include "trace/format.h"

namespace ordeal::analysis::testing {
namespace {

using model::EventKind;
using model::MemoryOrder;
using model::Model;
using model::Slot;
using model::testing::expect_to_occur;
using model::testing::Naive;
using model::testing::RandomGraph;
using model::testing::Shape;
using tests::scaled;
using trace::TraceEvent;

const Shape kRelationShapes[] = {
    {.threads = 3, .locations = 2, .events = 11, .writes = 3, .seq_cst = 20},
    {.threads = 3, .locations = 1, .events = 11, .writes = 5, .rmws = 60},
    {.threads = 4, .locations = 2, .events = 11, .writes = 3, .seq_cst = 30, .fences = 30, .children = 20},
    {.threads = 3, .locations = 2, .events = 11, .writes = 3, .seq_cst = 80},
    {.model = Model::kRc11, .threads = 3, .locations = 2, .events = 11, .writes = 3, .seq_cst = 70},
    {.model = Model::kSc, .threads = 3, .locations = 2, .events = 11, .writes = 4},
    {.model = Model::kTso, .threads = 3, .locations = 2, .events = 11, .writes = 4, .seq_cst = 20},
};

struct Random {
  Random(const Shape& shape, int seed) : random(shape, static_cast<std::uint64_t>(seed)) {
    random.grow();
    finish_rmws(random);
    trace = trace_of(random.graph, shape.model);
  }
  RandomGraph random;
  trace::Trace trace;
};

using Matrix = std::vector<std::vector<char>>;

Matrix closure(std::size_t size, const std::vector<Edge>& edges) {
  Matrix reach(size, std::vector<char>(size, 0));
  for (const Edge& edge : edges) reach[static_cast<std::size_t>(edge.from)][static_cast<std::size_t>(edge.to)] = 1;
  for (std::size_t k = 0; k < size; ++k)
    for (std::size_t i = 0; i < size; ++i)
      for (std::size_t j = 0; j < size; ++j)
        if (reach[i][k] != 0 && reach[k][j] != 0) reach[i][j] = 1;
  return reach;
}

Matrix happens_before(const model::ExecutionGraph& graph) {
  const auto size = static_cast<std::size_t>(graph.size());
  Matrix hb(size, std::vector<char>(size, 0));
  for (int i = 0; i < graph.size(); ++i)
    for (int j = 0; j < graph.size(); ++j)
      hb[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)] = i != j && graph.happens_before(Slot{i}, Slot{j}) ? 1 : 0;
  return hb;
}

TEST(Relations, HappensBeforeIsReducedAndSynchronisesWithIsAllItNeeds) {
  for (const Shape& shape : kRelationShapes)
    for (int seed = 0; seed < scaled(150); ++seed) {
      Random it(shape, seed);
      const Relations found = relations(it.trace);
      const Matrix expected = happens_before(it.random.graph);
      ASSERT_EQ(closure(it.trace.events.size(), found.hb), expected) << "seed " << seed << "\n" << trace::write(it.trace);
      std::vector<Edge> both = found.po;
      both.insert(both.end(), found.sw.begin(), found.sw.end());
      ASSERT_EQ(closure(it.trace.events.size(), both), expected) << "seed " << seed << "\n" << trace::write(it.trace);
      for (const Edge& edge : found.hb)  // none follows from others
        for (std::size_t k = 0; k < it.trace.events.size(); ++k)
          ASSERT_FALSE(expected[static_cast<std::size_t>(edge.from)][k] != 0 && expected[k][static_cast<std::size_t>(edge.to)] != 0) << "seed " << seed;
    }
}

// --- synchronises-with by its definition, on the trace alone -----------------------------------------------------------

class Definition {
 public:
  explicit Definition(const trace::Trace& trace) : trace_(trace) {}

  bool synchronises(std::size_t a, std::size_t b) const {
    const TraceEvent &from = event(a), &to = event(b);
    if (from.kind == EventKind::kCreate && from.other == to.name.thread) return to.name.index == 0;
    if (to.kind == EventKind::kJoin && to.other == from.name.thread) return from.name.index == count_of(from.name.thread) - 1;
    if (from.kind == EventKind::kCreate && to.kind == EventKind::kJoin) return from.other == to.other && count_of(to.other) == 0;
    for (std::size_t write = 0; write < size(); ++write)
      for (std::size_t read = 0; read < size(); ++read)
        if (publishes(a, write) && is_in_release_sequence(write, read) && receives(b, read)) return true;
    return false;
  }

 private:
  std::size_t size() const { return trace_.events.size(); }
  const TraceEvent& event(std::size_t i) const { return trace_.events[i]; }
  int count_of(std::int32_t thread) const {
    return static_cast<int>(std::count_if(trace_.events.begin(), trace_.events.end(), [&](const TraceEvent& e) { return e.name.thread == thread; }));
  }
  bool precedes(std::size_t a, std::size_t b) const { return event(a).name.thread == event(b).name.thread && event(a).name.index < event(b).name.index; }
  bool is_atomic(std::size_t i, EventKind kind) const { return event(i).kind == kind && event(i).order != MemoryOrder::kPlain; }
  bool publishes(std::size_t a, std::size_t write) const {
    if (!is_atomic(write, EventKind::kWrite) || !model::releases(event(a).order)) return false;
    return a == write || (event(a).kind == EventKind::kFence && precedes(a, write));
  }
  bool receives(std::size_t b, std::size_t read) const {
    if (!is_atomic(read, EventKind::kRead) || !model::acquires(event(b).order)) return false;
    return b == read || (event(b).kind == EventKind::kFence && precedes(read, b));
  }
  /// Whether `read` reads `head`, or what read-modify-writes have made of it.
  bool is_in_release_sequence(std::size_t head, std::size_t read) const {
    if (event(read).kind != EventKind::kRead) return false;
    for (std::size_t w = 0; w < size(); ++w) {
      if (event(w).kind != EventKind::kWrite || event(w).name != event(read).rf) continue;
      if (w == head) return true;
      if (!event(w).is_rmw) return false;
      for (std::size_t half = 0; half < size(); ++half)
        if (event(half).name == trace::EventName{event(w).name.thread, event(w).name.index - 1}) return is_in_release_sequence(head, half);
    }
    return false;
  }

  const trace::Trace& trace_;
};

TEST(Relations, SynchronisesWithIsWhatTheStandardSays) {
  int edges = 0;
  for (const Shape& shape : kRelationShapes)
    for (int seed = 0; seed < scaled(100); ++seed) {
      Random it(shape, seed);
      const Definition definition(it.trace);
      for (const Edge& edge : relations(it.trace).sw) {
        ++edges;
        ASSERT_TRUE(definition.synchronises(static_cast<std::size_t>(edge.from), static_cast<std::size_t>(edge.to)))
            << edge.from << " " << edge.to << " seed " << seed << "\n" << trace::write(it.trace);
      }
    }
  expect_to_occur(edges, 100, 100);
}

// --- modification order ------------------------------------------------------------------------------------------------

TEST(Relations, ModificationOrderIsOneThatIsAllowedAndForcedWhereAllAgree) {
  int forced = 0, chosen = 0;
  for (const Shape& shape : kRelationShapes) {
    if (shape.model == Model::kSc || shape.model == Model::kTso) continue;
    for (int seed = 0; seed < scaled(100); ++seed) {
      Random it(shape, seed);
      const Relations found = relations(it.trace);
      const Naive naive(it.random.graph);
      std::vector<char> always(found.mo.size(), 1);
      bool is_one = false;
      naive.for_each_mo(shape.model, [&](const oracle::Relation& mo) {
        bool is_this = true;
        for (std::size_t i = 0; i < found.mo.size(); ++i) {
          const bool has = mo(naive.id(Slot{found.mo[i].edge.from}), naive.id(Slot{found.mo[i].edge.to}));
          is_this = is_this && has;
          if (!has) always[i] = 0;
        }
        is_one = is_one || is_this;
        return true;
      });
      ASSERT_TRUE(is_one) << "seed " << seed << "\n" << trace::write(it.trace);
      for (std::size_t i = 0; i < found.mo.size(); ++i) {
        ASSERT_EQ(found.mo[i].necessity == Necessity::kForced, always[i] != 0) << "seed " << seed << " " << i << "\n" << trace::write(it.trace);
        ++(always[i] != 0 ? forced : chosen);
      }
    }
  }
  expect_to_occur(forced, 100, 100);
  expect_to_occur(chosen, 100, 100);
}

TEST(Relations, ModificationOrderHasAllWritesAndFromReadsLeadsToTheNext) {
  for (const Shape& shape : kRelationShapes)
    for (int seed = 0; seed < scaled(60); ++seed) {
      Random it(shape, seed);
      const Relations found = relations(it.trace);
      std::set<EventIndex> firsts;  // those that nothing leads to
      for (std::size_t i = 0; i < it.trace.events.size(); ++i)
        if (it.trace.events[i].kind == EventKind::kWrite) firsts.insert(static_cast<EventIndex>(i));
      const auto writes = firsts.size();
      for (const OrderEdge& edge : found.mo) ASSERT_EQ(firsts.erase(edge.edge.to), 1u);
      std::set<std::int32_t> locations;
      for (const EventIndex first : firsts) ASSERT_TRUE(locations.insert(it.trace.events[static_cast<std::size_t>(first)].location).second);
      ASSERT_EQ(found.mo.size(), writes - firsts.size());
      for (const OrderEdge& edge : found.fr) {
        const TraceEvent& read = it.trace.events[static_cast<std::size_t>(edge.edge.from)];
        ASSERT_EQ(read.kind, EventKind::kRead);
        if (read.rf.thread < 0) {
          ASSERT_TRUE(firsts.contains(edge.edge.to));
          continue;
        }
        const auto next = std::find_if(found.mo.begin(), found.mo.end(), [&](const OrderEdge& mo) { return it.trace.events[static_cast<std::size_t>(mo.edge.from)].name == read.rf; });
        ASSERT_NE(next, found.mo.end());
        ASSERT_EQ(next->edge.to, edge.edge.to);
      }
    }
}

}  // namespace
}  // namespace ordeal::analysis::testing
