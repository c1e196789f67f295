#include "analysis/repair.h"

#include <gtest/gtest.h>

#include <numeric>

#include "analysis/chain.h"
#include "analysis_support.h"
#include "tests/support/naive.h"
#include "trace/format.h"

namespace ordeal::analysis::testing {
namespace {

using model::MemoryOrder;

trace::Trace three_threads(const std::string& events) {
  return trace::read("ordeal-trace 2\nprogram \"p\"\nmodel \"cpp20\"\nending complete\nthread \"P0\"\nthread \"P1\"\nthread \"P2\"\nlocation \"x\" 0\nlocation \"y\" 0\n" + events + "end\n");
}
/// Each event is a site of its own; the two of a read-modify-write share one.
std::vector<int> own_sites(const trace::Trace& trace) {
  std::vector<int> sites(trace.events.size());
  std::iota(sites.begin(), sites.end(), 0);
  for (std::size_t i = 1; i < sites.size(); ++i)
    if (trace.events[i].is_rmw && trace.events[i].kind == model::EventKind::kWrite) sites[i] = sites[i - 1];
  return sites;
}
/// "1:acquire 4:release"; fences "1|2".
std::string text(const std::optional<Repair>& repair) {
  if (!repair) return "nothing";
  constexpr const char* kNames[] = {"plain", "relaxed", "acquire", "release", "acq_rel", "seq_cst"};
  std::string out = repair->forbids ? "forbids" : "orders";
  for (const Change& change : repair->changes) {
    out += " " + std::to_string(change.events.front());
    out += change.next != kNoEvent ? "|" + std::to_string(change.next) : std::string(":") + kNames[static_cast<int>(change.order)];
  }
  return out;
}

/// MP: P0 writes data plainly, then the flag; P1 reads the flag, then the data.
std::string message(const char* store, const char* load) {
  return std::string("event 0.0 write ") + store + " inserted=0 location=0 value=1\nevent 1.0 read " + load + " inserted=1 location=0 value=1 rf=0.0\n";
}
const RacingSpots kAroundMessage{{0, 0, false}, {1, 1, false}};

TEST(Repair, RaisesTheSideThatIsTooWeak) {
  const auto repair = [](const char* store, const char* load) {
    const trace::Trace trace = three_threads(message(store, load));
    return text(find_repair(trace, own_sites(trace), kAroundMessage));
  };
  EXPECT_EQ(repair("relaxed", "acquire"), "orders 0:release");
  EXPECT_EQ(repair("release", "relaxed"), "orders 1:acquire");
  EXPECT_EQ(repair("relaxed", "relaxed"), "orders 0:release 1:acquire");
  EXPECT_EQ(repair("release", "acquire"), "nothing");  // they are ordered already
}

TEST(Repair, AReadModifyWriteGetsOnlyTheHalfThatItNeeds) {
  const auto repair = [](const char* first, const char* second) {  // P0: fetch_add; P1: fetch_add that reads it
    const trace::Trace trace = three_threads(std::string("event 0.0 read ") + first + " inserted=0 location=0 rf=initial.0 rmw\nevent 0.1 write " + first +
                                             " inserted=1 location=0 value=1 rmw\nevent 1.0 read " + second + " inserted=2 location=0 value=1 rf=0.1 rmw\nevent 1.1 write " + second +
                                             " inserted=3 location=0 value=2 rmw\n");
    return text(find_repair(trace, own_sites(trace), RacingSpots{{0, 0, false}, {1, 2, false}}));
  };
  EXPECT_EQ(repair("relaxed", "acquire"), "orders 0:release");
  EXPECT_EQ(repair("release", "relaxed"), "orders 2:acquire");
  EXPECT_EQ(repair("acquire", "acquire"), "orders 0:acq_rel");  // what it has it keeps
  EXPECT_EQ(repair("relaxed", "relaxed"), "orders 0:release 2:acquire");
}

TEST(Repair, APointerIsPublishedBeforeWhatItPointsToIsRead) {
  // P0 allocates, writes x there, and publishes it by y; P1 reads y, then x: that is the access of the race. To order it by x itself would
  // be too late.
  const trace::Trace trace = three_threads(
      "event 0.0 write relaxed inserted=0 location=0 value=1\n"
      "event 0.1 write relaxed inserted=1 location=1 value=1\n"
      "event 1.0 read relaxed inserted=2 location=1 value=1 rf=0.1\n"
      "event 1.1 read relaxed inserted=3 location=0 value=1 rf=0.0\n");
  EXPECT_EQ(text(find_repair(trace, own_sites(trace), RacingSpots{{0, 0, false}, {1, 1, true}})), "orders 1:release 2:acquire");
  // Where only the access itself reads what the other wrote, it must do.
  const trace::Trace alone = three_threads(message("relaxed", "relaxed"));
  EXPECT_EQ(text(find_repair(alone, own_sites(alone), RacingSpots{{0, 0, false}, {1, 0, true}})), "orders 0:release 1:acquire");
}

TEST(Repair, ForbidsAStaleReadByThePairThatPassesTheMessage) {
  const trace::Trace trace = three_threads(
      "event 0.0 write relaxed inserted=0 location=0 value=1\n"
      "event 0.1 write relaxed inserted=1 location=1 value=1\n"
      "event 1.0 read relaxed inserted=2 location=1 value=1 rf=0.1\n"
      "event 1.1 read relaxed inserted=3 location=0 rf=initial.0\n");
  EXPECT_EQ(text(find_repair(trace, own_sites(trace), std::nullopt)), "forbids 1:release 2:acquire");
}

TEST(Repair, StoreBufferingTakesTwoFences) {
  const trace::Trace trace = three_threads(
      "event 0.0 write relaxed inserted=0 location=0 value=1\n"
      "event 0.1 read relaxed inserted=1 location=1 rf=initial.1\n"
      "event 1.0 write relaxed inserted=2 location=1 value=1\n"
      "event 1.1 read relaxed inserted=3 location=0 rf=initial.0\n");
  EXPECT_EQ(text(find_repair(trace, own_sites(trace), std::nullopt)), "forbids 0|1 2|3");
  // The same lines in both threads: two sites.
  EXPECT_EQ(text(find_repair(trace, std::vector<int>{0, 1, 0, 1}, std::nullopt)), "forbids 0:seq_cst 1:seq_cst");
  EXPECT_EQ(text(find_repair(trace, std::vector<int>{-1, -1, -1, -1}, std::nullopt)), "nothing");
}

TEST(Repair, NothingForbidsAnInterleaving) {
  const trace::Trace trace = three_threads(
      "event 0.0 write relaxed inserted=0 location=0 value=1\n"
      "event 1.0 read relaxed inserted=1 location=0 value=1 rf=0.0\n");
  EXPECT_EQ(text(find_repair(trace, own_sites(trace), std::nullopt)), "nothing");
}

TEST(Repair, AReadModifyWriteThatContinuesASequenceNeedsNoMore) {
  // P0 stores relaxed, P1 increments relaxed, P2 acquires: releasing the store of P0 is enough.
  const trace::Trace trace = three_threads(
      "event 0.0 write relaxed inserted=0 location=0 value=1\n"
      "event 1.0 read relaxed inserted=1 location=0 value=1 rf=0.0 rmw\n"
      "event 1.1 write relaxed inserted=2 location=0 value=2 rmw\n"
      "event 2.0 read acquire inserted=3 location=0 value=2 rf=1.1\n");
  const RacingSpots race{{0, 0, false}, {2, 1, false}};
  EXPECT_EQ(text(find_repair(trace, own_sites(trace), race)), "orders 0:release");
}

/// What is proposed forbids the execution by the axioms as they are written down; what is not proposed among single changes does not.
TEST(Repair, IsRightOnRandomExecutions) {
  int found = 0;
  for (int seed = 0; seed < tests::scaled(300); ++seed) {
    model::testing::RandomGraph random({.threads = 3, .locations = 2, .events = 12, .writes = 3, .plain = 0, .seq_cst = 15, .fences = 5, .rmws = 5}, static_cast<std::uint64_t>(seed));
    random.grow();
    finish_rmws(random);
    const trace::Trace trace = trace_of(random.graph, model::Model::kCpp20);
    const std::vector<int> sites = own_sites(trace);
    const std::optional<Repair> repair = find_repair(trace, sites, std::nullopt);
    const auto is_consistent_with = [&](std::span<const Change> changes) {
      trace::Trace changed = trace;
      for (const Change& change : changes)
        for (const EventIndex event : change.events) changed.events[static_cast<std::size_t>(event)].order = change.order;
      return model::testing::Naive(GraphOfTrace(changed).graph()).consistent(model::Model::kCpp20);
    };
    const bool is_of_orders = repair && repair->changes.front().next == kNoEvent;
    if (is_of_orders) {
      ASSERT_FALSE(is_consistent_with(repair->changes)) << text(repair) << "\n" << trace::write(trace);
    }
    found += is_of_orders ? 1 : 0;
    if (is_of_orders && repair->changes.size() == 1) continue;
    for (std::size_t i = 0; i < trace.events.size(); ++i) {
      const trace::TraceEvent& event = trace.events[i];
      if (event.is_rmw || event.kind > model::EventKind::kFence) continue;
      const Change change{{static_cast<EventIndex>(i)}, MemoryOrder::kSeqCst, kNoEvent};
      ASSERT_TRUE(is_consistent_with(std::span(&change, 1))) << i << "\n" << trace::write(trace);
    }
  }
  model::testing::expect_to_occur(found, 300, 5);
}

// --- chains ------------------------------------------------------------------------------------------------------------

TEST(Chain, NamesTheHopsThatDoNotSynchronise) {
  // P0 → P1 by a relaxed store and an acquire load, P1 → P2 by release and acquire.
  const trace::Trace trace = three_threads(
      "event 0.0 write relaxed inserted=0 location=0 value=1\n"
      "event 1.0 read acquire inserted=1 location=0 value=1 rf=0.0\n"
      "event 1.1 write release inserted=2 location=1 value=1\n"
      "event 2.0 read acquire inserted=3 location=1 value=1 rf=1.1\n");
  const GraphOfTrace graph(trace);
  const Chain chain = find_chain(graph.graph(), {0, 0, false}, {2, 1, false});
  ASSERT_TRUE(chain.exists);
  ASSERT_EQ(chain.broken.size(), 1u);
  EXPECT_EQ(chain.broken[0].write, 0);
  EXPECT_EQ(chain.broken[0].read, 1);
  EXPECT_FALSE(chain.broken[0].releases);
  EXPECT_TRUE(chain.broken[0].acquires);
  EXPECT_FALSE(find_chain(graph.graph(), {2, 1, false}, {0, 0, false}).exists);
  EXPECT_FALSE(find_chain(graph.graph(), {0, 1, false}, {2, 1, false}).exists);  // behind the store
}

TEST(Chain, AFenceCountsWhereItStands) {
  // A release fence before the access that is to be published does not publish it; an acquire fence behind the load does its part.
  const trace::Trace trace = three_threads(
      "event 0.0 fence release inserted=0\n"
      "event 0.1 write relaxed inserted=1 location=0 value=1\n"
      "event 1.0 read relaxed inserted=2 location=0 value=1 rf=0.1\n"
      "event 1.1 fence acquire inserted=3\n");
  const GraphOfTrace graph(trace);
  const Chain late = find_chain(graph.graph(), {0, 1, false}, {1, 2, false});
  ASSERT_EQ(late.broken.size(), 1u);
  EXPECT_FALSE(late.broken[0].releases);
  EXPECT_TRUE(late.broken[0].acquires);
  EXPECT_TRUE(find_chain(graph.graph(), {0, 0, false}, {1, 2, false}).broken.empty());
  const Chain early = find_chain(graph.graph(), {0, 0, false}, {1, 1, false});  // before the acquire fence
  ASSERT_EQ(early.broken.size(), 1u);
  EXPECT_TRUE(early.broken[0].releases);
  EXPECT_FALSE(early.broken[0].acquires);
}

TEST(Chain, AStoreThatCutsAReleaseSequenceIsFound) {
  const trace::Trace trace = three_threads(
      "event 0.0 write release inserted=0 location=0 value=1\n"
      "event 1.0 write relaxed inserted=1 location=0 value=2\n"
      "event 2.0 read relaxed inserted=2 location=0 value=1 rf=0.0\n"
      "event 2.1 read acquire inserted=3 location=0 value=2 rf=1.0\n");
  const GraphOfTrace graph(trace);
  const CutSequence cut = find_cut_sequence(graph.graph(), {0, 0, false}, {2, 2, false});
  EXPECT_EQ(cut.release, 0);
  EXPECT_EQ(cut.store, 1);
  EXPECT_EQ(cut.read, 3);
}

}  // namespace
}  // namespace ordeal::analysis::testing
