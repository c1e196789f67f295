#include "analysis/candidates.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "analysis_support.h"
#include "tests/support/naive.h"
#include "trace/format.h"

namespace ordeal::analysis::testing {
namespace {

using model::EventKind;
using model::Model;
using model::Slot;
using model::testing::expect_to_occur;
using model::testing::Naive;
using model::testing::RandomGraph;
using model::testing::Shape;
using tests::scaled;
using trace::TraceEvent;

/// Whether the read, put behind all that does not depend on it, may read the store, as a load or as a read-modify-write: asked of the axioms
/// as they are written down.
bool may_read_as(bool is_rmw, const trace::Trace& trace, const GraphOfTrace& whole, std::size_t read, EventIndex store, Model model) {
  std::vector<std::size_t> events;
  trace::Trace changed = trace;
  for (TraceEvent& event : changed.events) event.mo_position *= 2;
  for (std::size_t i = 0; i < trace.events.size(); ++i) {
    const bool is_own_write = trace.events[read].is_rmw && trace.events[i].name == trace::EventName{trace.events[read].name.thread, trace.events[read].name.index + 1};
    const bool depends = whole.graph().porf_before(Slot{static_cast<int>(read)}, Slot{static_cast<int>(i)});
    if (!depends || i == read || (is_own_write && is_rmw)) events.push_back(i);
    if (depends && !is_own_write && static_cast<EventIndex>(i) == store) return false;
    if (is_own_write && static_cast<EventIndex>(i) == store) return false;
    if (is_own_write) changed.events[i].mo_position = (store < 0 ? 0 : changed.events[static_cast<std::size_t>(store)].mo_position) + 1;
  }
  changed.events[read].rf = store < 0 ? trace::EventName{-1, trace.events[read].location} : trace.events[static_cast<std::size_t>(store)].name;
  if (is_rmw != trace.events[read].is_rmw) changed.events[read].order = trace.events[read].otherwise;
  changed.events[read].is_rmw = is_rmw;
  if (is_rmw && !trace.events[read].is_rmw) {  // the write that it did not come to
    TraceEvent write = changed.events[read];
    write.kind = EventKind::kWrite;
    ++write.name.index;
    write.mo_position = (store < 0 ? 0 : changed.events[static_cast<std::size_t>(store)].mo_position) + 1;
    events.push_back(changed.events.size());
    changed.events.push_back(write);
  }
  GraphOfTrace again(changed, events);
  return Naive(again.graph()).consistent(model);
}

/// A compare-exchange succeeds on the expected value and fails on others; a weak one may fail on any.
bool may_read(const trace::Trace& trace, const GraphOfTrace& whole, std::size_t read, EventIndex store, Model model) {
  const TraceEvent& event = trace.events[read];
  const bool is_source = event.rf == (store < 0 ? trace::EventName{-1, event.location} : trace.events[static_cast<std::size_t>(store)].name);
  if (!event.expected || is_source) return may_read_as(event.is_rmw, trace, whole, read, store, model);
  const model::Value value = store < 0 ? trace.locations[static_cast<std::size_t>(event.location)].initial : trace.events[static_cast<std::size_t>(store)].value;
  if (may_read_as(value == *event.expected, trace, whole, read, store, model)) return true;
  return value == *event.expected && event.is_weak && may_read_as(false, trace, whole, read, store, model);
}

const Shape kCandidateShapes[] = {
    {.threads = 3, .locations = 2, .events = 10, .writes = 3, .seq_cst = 20},
    {.threads = 3, .locations = 1, .events = 10, .writes = 5, .rmws = 60},
    {.threads = 4, .locations = 2, .events = 10, .writes = 3, .seq_cst = 30, .fences = 30, .children = 20},
    {.threads = 3, .locations = 2, .events = 10, .writes = 3, .seq_cst = 80, .fences = 25},
    {.model = Model::kRc11, .threads = 3, .locations = 2, .events = 10, .writes = 3, .seq_cst = 70},
    {.model = Model::kSc, .threads = 3, .locations = 2, .events = 10, .writes = 4},
};

TEST(Candidates, AreThoseThatTheAxiomsAllow) {
  std::map<Exclusion, int> seen;
  for (const Shape& shape : kCandidateShapes)
    for (int seed = 0; seed < scaled(120); ++seed) {
      RandomGraph random(shape, static_cast<std::uint64_t>(seed));
      random.grow();
      finish_rmws(random);
      const trace::Trace trace = trace_of(random.graph, shape.model);
      const GraphOfTrace whole(trace);
      for (const ReadChoices& read : choices_of_reads(trace, whole))
        for (const Candidate& candidate : read.stores) {
          ++seen[candidate.why];
          const bool expected = may_read(trace, whole, static_cast<std::size_t>(read.read), candidate.store, shape.model);
          ASSERT_EQ(candidate.why == Exclusion::kNone, expected)
              << "read " << read.read << " of " << candidate.store << ", seed " << seed << "\n" << trace::write(trace);
        }
    }
  for (const Exclusion why : {Exclusion::kNone, Exclusion::kLater, Exclusion::kOverwritten, Exclusion::kSeenNewer, Exclusion::kTaken, Exclusion::kSeqCst, Exclusion::kModel})
    expect_to_occur(seen[why], 120, 5);
}

trace::Trace trace_with(const std::string& events) {
  return trace::read("ordeal-trace 2\nprogram \"p\"\nmodel \"cpp20\"\nending complete\nthread \"P0\"\nthread \"P1\"\nlocation \"x\" 0\nlocation \"y\" 0\n" + events + "end\n");
}
std::vector<Candidate> choices(const trace::Trace& trace, std::size_t read) {
  const GraphOfTrace whole(trace);
  EXPECT_TRUE(whole.is_consistent());
  return choices_of_read(trace, whole, read).stores;
}

TEST(Candidates, MessagePassingExcludesWhatIsOverwritten) {
  const trace::Trace trace = trace_with(
      "event 0.0 write relaxed inserted=0 location=0 value=1\n"
      "event 0.1 write release inserted=1 location=1 value=1\n"
      "event 1.0 read acquire inserted=2 location=1 value=1 rf=0.1\n"
      "event 1.1 read relaxed inserted=3 location=0 value=1 rf=0.0\n");
  EXPECT_EQ(choices(trace, 2), (std::vector<Candidate>{{-2, Exclusion::kNone, kNoEvent}, {1, Exclusion::kNone, kNoEvent}}));
  EXPECT_EQ(choices(trace, 3), (std::vector<Candidate>{{-1, Exclusion::kOverwritten, 0}, {0, Exclusion::kNone, kNoEvent}}));
}

TEST(Candidates, AnEarlierReadOfANewerStoreExcludesTheOlder) {
  const trace::Trace trace = trace_with(
      "event 0.0 write relaxed inserted=0 location=0 value=1\n"
      "event 1.0 read relaxed inserted=1 location=0 value=1 rf=0.0\n"
      "event 1.1 read relaxed inserted=2 location=0 value=1 rf=0.0\n");
  EXPECT_EQ(choices(trace, 2), (std::vector<Candidate>{{-1, Exclusion::kSeenNewer, 1}, {0, Exclusion::kNone, kNoEvent}}));
}

TEST(Candidates, StoreBufferingWithSeqCstMayNotReadOldValuesTwice) {
  const trace::Trace trace = trace_with(
      "event 0.0 write seq_cst inserted=0 location=0 value=1\n"
      "event 0.1 read seq_cst inserted=1 location=1 rf=initial.1\n"
      "event 1.0 write seq_cst inserted=2 location=1 value=1\n"
      "event 1.1 read seq_cst inserted=3 location=0 value=1 rf=0.0\n");
  EXPECT_EQ(choices(trace, 3), (std::vector<Candidate>{{-1, Exclusion::kSeqCst, kNoEvent}, {0, Exclusion::kNone, kNoEvent}}));
}

TEST(Candidates, AReadModifyWriteCannotTakeWhatIsTakenOrWhatComesOfIt) {
  const trace::Trace trace = trace_with(
      "event 0.0 read relaxed inserted=0 location=0 rf=initial.0 rmw\n"
      "event 0.1 write relaxed inserted=1 location=0 value=1 rmw\n"
      "event 1.0 read relaxed inserted=2 location=0 value=1 rf=0.1 rmw\n"
      "event 1.1 write relaxed inserted=3 location=0 value=2 rmw\n");
  EXPECT_EQ(choices(trace, 0), (std::vector<Candidate>{{-1, Exclusion::kNone, kNoEvent}, {1, Exclusion::kLater, kNoEvent}, {3, Exclusion::kLater, kNoEvent}}));
  EXPECT_EQ(choices(trace, 2), (std::vector<Candidate>{{-1, Exclusion::kTaken, 1}, {1, Exclusion::kNone, kNoEvent}, {3, Exclusion::kLater, kNoEvent}}));
}

const std::string kOthersIncrement =
    "event 0.0 read relaxed inserted=0 location=0 rf=initial.0 rmw\n"
    "event 0.1 write relaxed inserted=1 location=0 value=1 rmw\n";

/// Nobody has built upon 1; upon 0 somebody has.
TEST(Candidates, ACompareExchangeThatFailedWouldHaveSucceededOnTheExpectedValue) {
  const auto failed = [](const std::string& expected) { return trace_with(kOthersIncrement + "event 1.0 read relaxed inserted=2 location=0 rf=initial.0 expected=" + expected + "\n"); };
  EXPECT_EQ(choices(failed("1 otherwise=acq_rel"), 2), (std::vector<Candidate>{{-1, Exclusion::kNone, kNoEvent}, {1, Exclusion::kNone, kNoEvent, Outcome::kSucceeds}}));
  EXPECT_EQ(choices(failed("2 otherwise=acq_rel"), 2), (std::vector<Candidate>{{-1, Exclusion::kNone, kNoEvent}, {1, Exclusion::kNone, kNoEvent}}));
}

TEST(Candidates, WhereACompareExchangeCannotSucceedOnlyAWeakOneCouldHaveReadIt) {
  const auto failed = [](const std::string& weak) {
    return trace_with(kOthersIncrement + "event 1.0 read relaxed inserted=2 location=0 value=1 rf=0.1 expected=0 otherwise=relaxed" + weak + "\n");
  };
  EXPECT_EQ(choices(failed(""), 2), (std::vector<Candidate>{{-1, Exclusion::kTaken, 1, Outcome::kSucceeds}, {1, Exclusion::kNone, kNoEvent}}));
  EXPECT_EQ(choices(failed(" weak"), 2), (std::vector<Candidate>{{-1, Exclusion::kNone, kNoEvent, Outcome::kFailsSpuriously}, {1, Exclusion::kNone, kNoEvent}}));
}

TEST(Candidates, ACompareExchangeThatSucceededWouldHaveFailedOnAnotherValueTakenOrNot) {
  const trace::Trace trace = trace_with(kOthersIncrement +
                                        "event 1.0 read acquire inserted=2 location=0 value=1 rf=0.1 rmw expected=1 otherwise=relaxed\n"
                                        "event 1.1 write acquire inserted=3 location=0 value=2 rmw\n");
  EXPECT_EQ(choices(trace, 2), (std::vector<Candidate>{{-1, Exclusion::kNone, kNoEvent, Outcome::kFails}, {1, Exclusion::kNone, kNoEvent}, {3, Exclusion::kLater, kNoEvent, Outcome::kFails}}));
}

/// As a load with its failure order it may read the old value; as a seq_cst operation not.
TEST(Candidates, TheOrderIsThatOfTheOutcome) {
  const auto trace = [](const std::string& otherwise) {
    return trace_with(
        "event 0.0 write seq_cst inserted=0 location=0 value=1\n"
        "event 0.1 read seq_cst inserted=1 location=1 rf=initial.1\n"
        "event 1.0 write seq_cst inserted=2 location=1 value=1\n"
        "event 1.1 read seq_cst inserted=3 location=0 value=1 rf=0.0 rmw expected=1 otherwise=" + otherwise + "\n"
        "event 1.2 write seq_cst inserted=4 location=0 value=2 rmw\n");
  };
  EXPECT_EQ(choices(trace("relaxed"), 3)[0], (Candidate{-1, Exclusion::kNone, kNoEvent, Outcome::kFails}));
  EXPECT_EQ(choices(trace("seq_cst"), 3)[0], (Candidate{-1, Exclusion::kSeqCst, kNoEvent, Outcome::kFails}));
}

TEST(Candidates, WithLoadBufferingACompareExchangeCouldHaveSucceeded) {
  const trace::Trace trace = trace_with(
      "event 0.0 read relaxed inserted=0 location=0 value=1 rf=1.1 expected=0 otherwise=relaxed\n"
      "event 0.1 write relaxed inserted=1 location=1 value=1\n"
      "event 1.0 read relaxed inserted=2 location=1 value=1 rf=0.1\n"
      "event 1.1 write relaxed inserted=3 location=0 value=1\n");
  EXPECT_EQ(choices(trace, 0), (std::vector<Candidate>{{-1, Exclusion::kNone, kNoEvent, Outcome::kSucceeds}, {3, Exclusion::kNone, kNoEvent}}));
}

TEST(Candidates, WithLoadBufferingTheOldValueCouldHaveBeenRead) {
  const trace::Trace trace = trace_with(
      "event 0.0 read relaxed inserted=0 location=0 value=1 rf=1.1\n"
      "event 0.1 write relaxed inserted=1 location=1 value=1\n"
      "event 1.0 read relaxed inserted=2 location=1 value=1 rf=0.1\n"
      "event 1.1 write relaxed inserted=3 location=0 value=1\n");
  EXPECT_EQ(choices(trace, 0), (std::vector<Candidate>{{-1, Exclusion::kNone, kNoEvent}, {3, Exclusion::kNone, kNoEvent}}));
}

}  // namespace
}  // namespace ordeal::analysis::testing
