// The order in which an execution is shown: an interleaving if there is one, else mostly one, as AutoMO's section 6 wants it.
#include "analysis/simplify.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>

#include "analysis/mostly_sc.h"
#include "executions.h"
#include "tests/support/scale.h"

namespace ordeal::analysis {
namespace {

using model::EventKind;
using model::MemoryOrder;
using testing::Maker;
using trace::EventName;
using Order = std::vector<std::size_t>;

constexpr MemoryOrder kRelaxed = MemoryOrder::kRelaxed, kSeqCst = MemoryOrder::kSeqCst;

/// Adds events to a trace of the model cpp20, one call each.
class TraceBuilder {
 public:
  TraceBuilder(int threads, int locations) {
    trace_.model = "cpp20";
    trace_.threads.resize(static_cast<std::size_t>(threads));
    trace_.locations.resize(static_cast<std::size_t>(locations));
  }
  EventName write(int thread, int location, model::Value value, MemoryOrder order) { return add(thread, EventKind::kWrite, order, location, value); }
  EventName read(int thread, int location, model::Value value, MemoryOrder order, EventName rf) {
    const EventName name = add(thread, EventKind::kRead, order, location, value);
    trace_.events.back().rf = rf;
    return name;
  }
  EventName read_initial(int thread, int location, MemoryOrder order) { return read(thread, location, 0, order, {-1, location}); }
  /// Returns its write.
  EventName update(int thread, int location, model::Value old, model::Value value, MemoryOrder order, EventName rf) {
    read(thread, location, old, order, rf);
    trace_.events.back().is_rmw = true;
    const EventName name = write(thread, location, value, order);
    trace_.events.back().is_rmw = true;
    return name;
  }
  EventName other(int thread, EventKind kind, int of) {
    const EventName name = add(thread, kind, kSeqCst, -1, 0);
    trace_.events.back().other = of;
    return name;
  }
  trace::Trace& trace() { return trace_; }

 private:
  EventName add(int thread, EventKind kind, MemoryOrder order, int location, model::Value value) {
    trace::TraceEvent event;
    for (const trace::TraceEvent& before : trace_.events) event.name.index = before.name.thread == thread ? before.name.index : event.name.index;
    event.name = {thread, event.name.index + 1};
    event.kind = kind;
    event.order = order;
    event.location = location;
    event.value = value;
    event.inserted = static_cast<std::uint32_t>(trace_.events.size());
    trace_.events.push_back(event);
    return event.name;
  }
  trace::Trace trace_;
};

Order surprising(const ShownOrder& shown) {
  Order found;
  for (std::size_t i = 0; i < shown.expected.size(); ++i)
    if (shown.expected[i] != kNoEvent) found.push_back(i);
  return found;
}

TEST(Simplify, AReadOfTheInitialValueComesBeforeTheWrite) {
  TraceBuilder builder(2, 1);
  builder.write(0, 0, 1, kRelaxed);
  builder.read_initial(1, 0, kRelaxed);
  const ShownOrder shown = simplify(builder.trace());
  EXPECT_EQ(shown.events, (Order{1, 0}));
  EXPECT_EQ(shown.sc, Sc::kYes);
  EXPECT_TRUE(surprising(shown).empty());
}

TEST(Simplify, ThreadsBeginBehindTheirCreationAndEndBeforeTheirJoin) {
  TraceBuilder builder(2, 1);
  builder.other(0, EventKind::kCreate, 1);
  builder.other(0, EventKind::kJoin, 1);
  builder.write(1, 0, 1, kRelaxed);
  EXPECT_EQ(simplify(builder.trace()).events, (Order{0, 2, 1}));
}

TEST(Simplify, AReadModifyWriteStaysTogether) {
  TraceBuilder builder(2, 1);
  builder.update(0, 0, 0, 1, kRelaxed, {-1, 0});
  builder.read_initial(1, 0, kRelaxed);
  EXPECT_EQ(simplify(builder.trace()).events, (Order{2, 0, 1}));
}

/// Each of the two threads writes its own variable; the trace goes from one to the other and back.
TEST(Simplify, AnInterleavingStaysWithAThreadAsLongAsItCan) {
  TraceBuilder builder(2, 2);
  for (int i = 0; i < 3; ++i) {
    builder.write(0, 0, i, kRelaxed);
    builder.write(1, 1, i, kRelaxed);
  }
  EXPECT_EQ(simplify(builder.trace()).events, (Order{0, 2, 4, 1, 3, 5}));
}

TEST(Simplify, FigureElevenHasOneSurprisingRead) {  // AutoMO: the buggy queue, events as in its Fig. 6
  constexpr int next = 0, index = 1, arr = 2;
  TraceBuilder builder(2, 3);
  builder.write(0, arr, 1, kRelaxed);                                    // 1 → 0
  builder.read(1, next, 7, kRelaxed, {0, 2});                            // 2 → 1, of a write that stands later in the trace
  builder.write(0, index, 1, kRelaxed);                                  // 4 → 2
  builder.read_initial(1, index, kRelaxed);                              // 5 → 3
  builder.write(0, next, 7, kRelaxed);                                   // 7 → 4
  const ShownOrder shown = simplify(builder.trace());
  EXPECT_EQ(shown.sc, Sc::kNo);
  EXPECT_EQ(shown.events, (Order{0, 2, 4, 1, 3}));
  EXPECT_EQ(surprising(shown), (Order{3}));
  EXPECT_EQ(shown.expected[3], 2);
  EXPECT_EQ(shown.cycle.size(), 4U);
}

TEST(Simplify, FigureTwelveBlamesTheRelaxedReadNotTheSeqCstOne) {
  TraceBuilder builder(2, 2);
  builder.write(0, 0, 1, kRelaxed);
  builder.read_initial(0, 1, kSeqCst);
  builder.write(1, 1, 1, kSeqCst);
  builder.read_initial(1, 0, kRelaxed);
  const ShownOrder shown = simplify(builder.trace());
  EXPECT_EQ(shown.sc, Sc::kNo);
  EXPECT_EQ(shown.events, (Order{0, 1, 2, 3}));
  EXPECT_EQ(surprising(shown), (Order{3}));
  EXPECT_EQ(shown.expected[3], 0);
}

TEST(Simplify, FigureThirteenIsAvoidedWhicheverThreadComesFirst) {
  TraceBuilder builder(2, 2);
  builder.write(0, 1, 1, kSeqCst);
  builder.read_initial(0, 0, kRelaxed);
  builder.write(1, 0, 1, kRelaxed);
  builder.read_initial(1, 1, kSeqCst);
  const ShownOrder shown = simplify(builder.trace());
  EXPECT_EQ(surprising(shown), (Order{1}));
  EXPECT_EQ(shown.events, (Order{2, 3, 0, 1}));
}

/// The acquire load (line 5) reads a release sequence that line 6 heads: it must not be shown before it (Fig. 15 does).
TEST(Simplify, FigureFourteenKeepsHappensBefore) {
  constexpr int x = 0, y = 1;
  TraceBuilder builder(4, 2);
  builder.update(0, x, 3, 5, kRelaxed, {1, 2});              // line 1: 0, 1; reads line 4
  builder.write(0, y, 1, kRelaxed);                          // line 2: 2
  builder.read(1, y, 1, kRelaxed, {0, 2});                   // line 3: 3
  builder.update(1, x, 1, 3, kRelaxed, {3, 0});              // line 4: 4, 5
  builder.read(2, x, 5, MemoryOrder::kAcquire, {0, 1});      // line 5: 6
  builder.write(3, x, 1, MemoryOrder::kRelease);             // line 6: 7
  const ShownOrder shown = simplify(builder.trace());
  EXPECT_EQ(shown.sc, Sc::kNo);
  const auto place = [&](std::size_t event) { return std::find(shown.events.begin(), shown.events.end(), event); };
  EXPECT_LT(place(7), place(6));
  EXPECT_EQ(surprising(shown).size(), 1U);
}

TEST(Simplify, TenThousandEventsAreQuick) {
  for (const bool is_weak : {false, true}) {
    TraceBuilder builder(3, 2);
    // Written out, so that names need no search: two threads hand values on, in turns that the trace does not show.
    trace::Trace& trace = builder.trace();
    constexpr int kCount = 4000;
    for (int t = 0; t < 3; ++t)
      for (int i = 0; i < kCount; ++i) {
        trace::TraceEvent event;
        event.name = {t, i};
        event.kind = t == 0 ? EventKind::kWrite : EventKind::kRead;
        event.order = i % 50 == 0 ? kSeqCst : kRelaxed;
        event.location = i % 2;
        event.value = i;
        if (t > 0) event.rf = {0, is_weak && t == 2 && i % 1000 == 999 ? i - 4 : i};
        event.inserted = static_cast<std::uint32_t>(trace.events.size());
        trace.events.push_back(event);
      }
    const auto start = std::chrono::steady_clock::now();
    const ShownOrder shown = simplify(trace);
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    EXPECT_EQ(shown.sc, is_weak ? Sc::kNo : Sc::kYes);
    EXPECT_EQ(surprising(shown).size(), is_weak ? 4U : 0U);
    EXPECT_EQ(shown.events.size(), 3U * kCount);
    std::printf("%d events, %s: %.1f ms\n", 3 * kCount, is_weak ? "weak" : "an interleaving", seconds * 1e3);
#if defined(NDEBUG) && !defined(__SANITIZE_ADDRESS__)
    EXPECT_LT(seconds, 1);
#endif
  }
}

/// The fewest surprising reads of all orders that keep program order and show each read behind what it reads: by trying all.
class FewestSurprises {
 public:
  explicit FewestSurprises(const Operations& all) : all_(all), place_(static_cast<std::size_t>(all.threads), 0) {
    for (int l = 0; l < all.locations; ++l) memory_.push_back(initial_write(l));
  }
  int count() {
    std::vector<std::int32_t> state = place_;
    state.insert(state.end(), memory_.begin(), memory_.end());
    if (const auto found = known_.find(state); found != known_.end()) return found->second;
    bool is_over = true;
    int best = 1000;
    for (int t = 0; t < all_.threads; ++t) {
      const auto mine = all_.of_thread(t);
      const auto place = static_cast<std::size_t>(place_[static_cast<std::size_t>(t)]);
      if (place == mine.size()) continue;
      is_over = false;
      const Operation& operation = all_[mine[place]];
      if (operation.source >= 0 && place_[static_cast<std::size_t>(all_[operation.source].thread)] <= all_[operation.source].index) continue;
      const std::vector<OperationId> memory = memory_;
      ++place_[static_cast<std::size_t>(t)];
      const bool is_surprise = reads(operation.sort) && memory_[static_cast<std::size_t>(operation.location)] != operation.source;
      if (writes(operation.sort)) memory_[static_cast<std::size_t>(operation.location)] = mine[place];
      best = std::min(best, count() + (is_surprise ? 1 : 0));
      --place_[static_cast<std::size_t>(t)];
      memory_ = memory;
    }
    return known_[state] = is_over ? 0 : best;
  }

 private:
  const Operations& all_;
  std::vector<std::int32_t> place_;
  std::vector<OperationId> memory_;
  std::map<std::vector<std::int32_t>, int> known_;
};

TEST(Simplify, AsFewReadsAsCanBeAreSurprising) {
  base::Rng rng(3);
  int weak = 0;
  for (int i = 0; i < tests::scaled(3000); ++i) {
    const int threads = 2 + rng.below(2), locations = 1 + rng.below(2);
    Maker maker(threads, locations);
    std::vector<std::vector<OperationId>> written(static_cast<std::size_t>(locations));
    for (int l = 0; l < locations; ++l) written[static_cast<std::size_t>(l)].push_back(initial_write(l));
    for (int n = 4 + rng.below(6); n > 0; --n) {
      const int t = rng.below(threads), l = rng.below(locations);
      std::vector<OperationId>& here = written[static_cast<std::size_t>(l)];
      const OperationId source = here[static_cast<std::size_t>(rng.below(static_cast<int>(here.size())))];
      if (rng.chance(45)) here.push_back(maker.write(t, l));
      else if (rng.chance(20)) here.push_back(maker.update(t, l, source));
      else maker.read(t, l, source);
    }
    const Operations operations = maker.make();
    HardOrders hard;
    hard.is_seq_cst.assign(operations.all.size(), 0);
    const std::vector<OperationId> order = MostlySc(operations, hard).find();
    ASSERT_EQ(order.size(), operations.all.size());
    std::vector<OperationId> memory;
    for (int l = 0; l < locations; ++l) memory.push_back(initial_write(l));
    int surprises = 0;
    for (const OperationId id : order) {
      OperationId& last = memory[static_cast<std::size_t>(operations[id].location)];
      surprises += reads(operations[id].sort) && operations[id].source != last ? 1 : 0;
      if (writes(operations[id].sort)) last = id;
    }
    ASSERT_EQ(surprises, FewestSurprises(operations).count()) << testing::text_of(operations);
    weak += surprises > 0 ? 1 : 0;
  }
  EXPECT_GT(weak, tests::scaled(3000) / 10);
}

}  // namespace
}  // namespace ordeal::analysis
