#include "analysis/graph_of_trace.h"

#include <gtest/gtest.h>

#include "analysis_support.h"
#include "model/modification_order.h"
#include "tests/support/naive.h"
#include "tests/support/random_graph.h"
#include "trace/format.h"

namespace ordeal::analysis::testing {
namespace {

using model::Model;
using model::Row;
using model::Slot;
using model::testing::Naive;
using model::testing::RandomGraph;
using model::testing::Shape;
using tests::scaled;

const Shape kGraphShapes[] = {
    {.threads = 4, .locations = 2, .events = 16, .writes = 5, .seq_cst = 20},
    {.threads = 3, .locations = 1, .events = 16, .writes = 7, .rmws = 60, .revisited = true},
    {.threads = 5, .locations = 2, .events = 16, .writes = 5, .seq_cst = 30, .fences = 30, .children = 20},
    {.model = Model::kRc11, .threads = 3, .locations = 2, .events = 14, .writes = 4, .seq_cst = 60},
    {.model = Model::kSc, .threads = 3, .locations = 2, .events = 12, .writes = 4},
    {.model = Model::kTso, .threads = 3, .locations = 2, .events = 12, .writes = 4, .seq_cst = 30},
};

/// What the graph says of its events, without attempts and stamps.
void expect_same(const model::ExecutionGraph& graph, const model::ExecutionGraph& again, bool compares_mo) {
  ASSERT_EQ(again.size(), graph.size());
  for (int a = -graph.locations(); a < graph.size(); ++a)
    for (int b = 0; b < graph.size(); ++b) {
      const Slot first{a}, second{b};
      ASSERT_EQ(again.happens_before(first, second), graph.happens_before(first, second)) << a << " " << b;
      ASSERT_EQ(again.porf_before(first, second), graph.porf_before(first, second)) << a << " " << b;
      const model::Event &one = graph.event(first), &two = graph.event(second);
      if (!compares_mo || a == b || one.kind != model::EventKind::kWrite || two.kind != one.kind || one.location != two.location) continue;
      ASSERT_EQ(forced_before(again, first, second), forced_before(graph, first, second)) << a << " " << b;
    }
}

TEST(GraphOfTrace, IsTheGraphThatTheTraceWasMadeOf) {
  for (const Shape& shape : kGraphShapes)
    for (int seed = 0; seed < scaled(200); ++seed) {
      RandomGraph random(shape, static_cast<std::uint64_t>(seed));
      random.grow();
      finish_rmws(random);
      const trace::Trace trace = trace_of(random.graph, shape.model);
      const GraphOfTrace again(trace);
      ASSERT_TRUE(again.is_consistent()) << "seed " << seed << "\n" << trace::write(trace);
      ASSERT_FALSE(again.is_out_of_order());
      expect_same(random.graph, again.graph(), shape.seq_cst == 0 && !random.consistency.mo_is_explicit());
      if (HasFatalFailure()) FAIL() << "seed " << seed << "\n" << trace::write(trace);
      for (int i = 0; i < again.graph().size(); ++i) ASSERT_EQ(again.graph().event(Slot{i}).mo_position, random.graph.event(Slot{i}).mo_position);
    }
}

/// The source of one read is changed to any write of its location: often that is inconsistent, and sometimes the read comes first.
TEST(GraphOfTrace, IsConsistentIffTheModelAllowsIt) {
  int consistent = 0, inconsistent = 0, out_of_order = 0;
  for (const Shape& shape : kGraphShapes)
    for (int seed = 0; seed < scaled(150); ++seed) {
      RandomGraph random({.model = shape.model, .threads = 3, .locations = 2, .events = 9, .writes = 3, .seq_cst = shape.seq_cst, .fences = shape.fences, .children = shape.children},
                         static_cast<std::uint64_t>(seed));
      random.grow();
      finish_rmws(random);
      trace::Trace trace = trace_of(random.graph, shape.model);
      if (!change_a_source(trace, random.rng)) continue;
      GraphOfTrace again(trace);
      if (again.is_out_of_order() && !happens_in_order(again.graph())) {
        ASSERT_FALSE(again.is_consistent());
        continue;
      }
      const bool expected = Naive(again.graph()).consistent(shape.model);
      ASSERT_EQ(again.is_consistent(), expected) << "seed " << seed << "\n" << trace::write(trace);
      ++(expected ? consistent : inconsistent);
      if (again.is_out_of_order() && expected) ++out_of_order;
    }
  model::testing::expect_to_occur(consistent, 150, 20);
  model::testing::expect_to_occur(inconsistent, 150, 20);
  model::testing::expect_to_occur(out_of_order, 150, 5);
}

TEST(GraphOfTrace, LoadBufferingStandsOutOfOrderAndIsAllowed) {
  const GraphOfTrace graph(trace::read(R"(ordeal-trace 2
program "LB"
model "cpp20"
ending complete
thread "P0"
thread "P1"
location "x" 0
location "y" 0
event 0.0 read relaxed inserted=0 location=0 value=1 rf=1.1
event 0.1 write relaxed inserted=1 location=1 value=1
event 1.0 read relaxed inserted=2 location=1 value=1 rf=0.1
event 1.1 write relaxed inserted=3 location=0 value=1
end
)"));
  EXPECT_TRUE(graph.is_out_of_order());
  EXPECT_TRUE(graph.is_consistent());
  EXPECT_EQ(graph.graph().event(Slot{0}).rf, Slot{3});
}

TEST(GraphOfTrace, ReadersOfAReadWriteLockDoNotSynchroniseWithEachOther) {
  const GraphOfTrace graph(trace::read(R"(ordeal-trace 2
program "p"
model "cpp20"
ending complete
thread "main"
thread "thread 1"
thread "thread 2"
location "" 0 address=0x10 size=8 sort=shared-mutex
event 0.0 read acquire inserted=0 location=0 value=0 rf=initial.0 rmw
event 0.1 write acquire inserted=1 location=0 value=1 rmw
event 0.2 read release inserted=2 location=0 value=1 rf=0.1 rmw
event 0.3 write release inserted=3 location=0 rmw
event 1.0 read acquire inserted=4 location=0 rf=0.3 rmw
event 1.1 write acquire inserted=5 location=0 value=2 rmw
event 1.2 read release inserted=6 location=0 value=2 rf=1.1 rmw
event 1.3 write release inserted=7 location=0 rmw
event 2.0 read acquire inserted=8 location=0 rf=1.3 rmw
event 2.1 write acquire inserted=9 location=0 value=2 rmw
end
)"));
  ASSERT_TRUE(graph.is_consistent());
  EXPECT_TRUE(graph.graph().happens_before(Slot{3}, Slot{4}));
  EXPECT_TRUE(graph.graph().happens_before(Slot{3}, Slot{8}));
  EXPECT_FALSE(graph.graph().happens_before(Slot{7}, Slot{8}));
}

std::string odd_trace(const char* model, const char* events) {
  return std::string("ordeal-trace 2\nprogram \"p\"\nmodel \"") + model +
         "\"\nending complete\nthread \"a\"\nthread \"b\"\nlocation \"x\" 0 sort=shared-mutex\nlocation \"y\" 0\n" + events + "end\n";
}

TEST(GraphOfTrace, OddTracesAreSaidToBeInconsistent) {
  const char* const kEvents[] = {
      // Two read-modify-writes that read each other, as shared locks.
      "event 0.0 read acquire inserted=0 location=0 value=2 rf=1.1 rmw\nevent 0.1 write acquire inserted=1 location=0 value=4 rmw\n"
      "event 1.0 read acquire inserted=2 location=0 value=4 rf=0.1 rmw\nevent 1.1 write acquire inserted=3 location=0 value=6 rmw\n",
      // A thread that creates itself, and one that joins itself.
      "event 0.0 write relaxed inserted=0 location=0\nevent 0.1 create relaxed inserted=1 other=0\nevent 0.2 read acquire inserted=2 location=0 rf=0.0\n",
      "event 0.0 write release inserted=0 location=0\nevent 0.1 join relaxed inserted=1 other=0\nevent 0.2 read acquire inserted=2 location=0 rf=0.0\n",
      // Threads that join each other.
      "event 0.0 join relaxed inserted=0 other=1\nevent 1.0 join relaxed inserted=1 other=0\n",
      // A read of what the same thread writes later.
      "event 0.0 read relaxed inserted=0 location=1 rf=0.1\nevent 0.1 write relaxed inserted=1 location=1\n",
      // Two that build upon the same write.
      "event 0.0 read relaxed inserted=0 location=1 rf=initial.1 rmw\nevent 0.1 write relaxed inserted=1 location=1 rmw\n"
      "event 1.0 read relaxed inserted=2 location=1 rf=initial.1 rmw\nevent 1.1 write relaxed inserted=3 location=1 rmw\n",
  };
  for (const char* events : kEvents)
    for (const char* name : {"cpp20", "rc11", "sc", "tso"})
      EXPECT_EQ(GraphOfTrace(trace::read(odd_trace(name, events))).standing(), Standing::kInconsistent) << name << "\n" << events;
  EXPECT_EQ(GraphOfTrace(trace::read(odd_trace("power", ""))).standing(), Standing::kUnknownModel);
}

TEST(GraphOfTrace, HalvesWithoutTheOtherAndThreadsThatAreNotThereAreTaken) {
  const GraphOfTrace graph(trace::read(odd_trace("cpp20", "event 0.0 write relaxed inserted=0 location=1 rmw\nevent 0.1 create relaxed inserted=1 other=7\n"
                                                          "event 0.2 read relaxed inserted=2 location=1 rf=0.0 rmw\nevent 0.3 join relaxed inserted=3\n")));
  EXPECT_TRUE(graph.is_consistent());
  EXPECT_FALSE(graph.graph().event(Slot{0}).is_rmw);
}

}  // namespace
}  // namespace ordeal::analysis::testing
