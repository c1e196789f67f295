#include "model/seq_cst.h"

#include <gtest/gtest.h>

#include "builder.h"
#include "dump.h"

namespace ordeal::model::testing {
namespace {

constexpr bool kAllowed = true, kForbidden = false;

/// `shape` builds a graph whose last operation makes the outcome in question, and returns whether that may come.
template <class Graph>
void expect_verdicts(Graph&& shape, bool cpp20, bool rc11) {
  Builder first(Model::kCpp20), second(Model::kRc11);
  EXPECT_EQ(shape(first), cpp20) << "cpp20";
  EXPECT_EQ(shape(second), rc11) << "rc11";
}

// --- store buffering -------------------------------------------------------------------------------------------------------

TEST(SeqCst, StoreBufferingNeedsItInAllFourPlaces) {
  for (int weak = -1; weak < 4; ++weak) {  // which access is weaker; -1: none
    const auto order = [&](int place, MemoryOrder weaker) { return place == weak ? weaker : kSeqCst; };
    expect_verdicts(
        [&](Builder& graph) {
          graph.store(0, x, order(0, kRelease));
          graph.load(0, y, initial(y), order(1, kAcquire));
          graph.store(1, y, order(2, kRelease));
          return graph.may_load(1, x, initial(x), order(3, kAcquire));
        },
        weak >= 0, weak >= 0);
  }
}

TEST(SeqCst, StoreBufferingIsForbiddenByTwoFencesButNotByOne) {
  for (const bool both : {false, true})
    expect_verdicts(
        [&](Builder& graph) {
          graph.store(0, x);
          graph.fence(0, kSeqCst);
          graph.load(0, y, initial(y));
          graph.store(1, y);
          graph.fence(1, both ? kSeqCst : kAcqRel);
          return graph.may_load(1, x, initial(x));
        },
        !both, !both);
}

TEST(SeqCst, StoreBufferingIsForbiddenByAFenceAndSeqCstAccesses) {
  expect_verdicts(
      [](Builder& graph) {
        graph.store(0, x);
        graph.fence(0, kSeqCst);
        graph.load(0, y, initial(y));
        graph.store(1, y, kSeqCst);
        return graph.may_load(1, x, initial(x), kSeqCst);
      },
      kForbidden, kForbidden);
}

TEST(SeqCst, AReadModifyWriteOfItsOwnLocationIsNotAFence) {  // SB+rmws-diff
  for (const Model model : {Model::kCpp20, Model::kRc11}) {
    Builder graph(model, 4, 4);
    graph.store(0, x);
    graph.rmw(0, z, initial(z), kSeqCst);
    graph.load(0, y, initial(y));
    graph.store(1, y);
    graph.rmw(1, 3, initial(3), kSeqCst);
    EXPECT_TRUE(graph.may_load(1, x, initial(x)));
  }
}

// --- independent reads of independent writes --------------------------------------------------------------------------------

bool iriw(Builder& graph, MemoryOrder write, MemoryOrder first_read, MemoryOrder second_read) {
  const Slot a = graph.store(0, x, write), b = graph.store(1, y, write);
  graph.load(2, x, a, first_read);
  graph.load(2, y, initial(y), second_read);
  graph.load(3, y, b, first_read);
  return graph.may_load(3, x, initial(x), second_read);
}

TEST(SeqCst, IriwIsForbiddenWithSeqCstOnly) {
  expect_verdicts([](Builder& graph) { return iriw(graph, kSeqCst, kSeqCst, kSeqCst); }, kForbidden, kForbidden);
  expect_verdicts([](Builder& graph) { return iriw(graph, kRelease, kAcquire, kAcquire); }, kAllowed, kAllowed);
}

TEST(SeqCst, IriwAcqScIsAllowedSinceCpp20) {
  expect_verdicts([](Builder& graph) { return iriw(graph, kSeqCst, kAcquire, kSeqCst); }, kAllowed, kAllowed);
}

TEST(SeqCst, IriwWithRelaxedWritesAndSeqCstReadsTellsTheModelsApart) {
  expect_verdicts([](Builder& graph) { return iriw(graph, kRelaxed, kSeqCst, kSeqCst); }, kForbidden, kAllowed);
}

TEST(SeqCst, IriwIsForbiddenByFencesBetweenTheReads) {
  expect_verdicts(
      [](Builder& graph) {
        const Slot a = graph.store(0, x), b = graph.store(1, y);
        graph.load(2, x, a);
        graph.fence(2, kSeqCst);
        graph.load(2, y, initial(y));
        graph.load(3, y, b);
        graph.fence(3, kSeqCst);
        return graph.may_load(3, x, initial(x));
      },
      kForbidden, kForbidden);
}

// --- Z6.U and its neighbours ------------------------------------------------------------------------------------------------

TEST(SeqCst, Z6UIsAllowed) {
  expect_verdicts(
      [](Builder& graph) {
        graph.store(0, x, kSeqCst);
        const Slot flag = graph.store(0, y, kRelease);
        graph.rmw(1, y, flag, kSeqCst);
        const Slot three = graph.store(2, y, kSeqCst, 3);
        graph.load(1, y, three);  // behind the RMW
        return graph.may_load(2, x, initial(x), kSeqCst);
      },
      kAllowed, kAllowed);
}

TEST(SeqCst, Z6UIsForbiddenByCpp20IfProgramOrderComesBetweenAcquireAndSeqCst) {  // Z6.U+po
  expect_verdicts(
      [](Builder& graph) {
        graph.store(0, x, kSeqCst);
        const Slot flag = graph.store(0, y, kRelease);
        const Slot two = graph.rmw(1, y, flag, kAcqRel);
        graph.rmw(1, y, two, kSeqCst);
        const Slot five = graph.store(2, y, kSeqCst, 5);
        graph.load(1, y, five);
        return graph.may_load(2, x, initial(x), kSeqCst);
      },
      kForbidden, kAllowed);
}

TEST(SeqCst, ScEcoTellsTheModelsApart) {
  expect_verdicts(
      [](Builder& graph) {
        graph.store(0, y, kSeqCst);
        const Slot one = graph.store(0, x, kSeqCst), two = graph.store(1, x, kRelaxed, 2);
        graph.load(3, x, one);
        graph.load(3, x, two);  // x=1 before x=2
        graph.load(2, x, two, kSeqCst);
        return graph.may_load(2, y, initial(y), kSeqCst);
      },
      kForbidden, kAllowed);
}

TEST(SeqCst, ScEcoIsAllowedWhenTheWritesAreInTheOtherOrder) {
  expect_verdicts(
      [](Builder& graph) {
        graph.store(0, y, kSeqCst);
        const Slot one = graph.store(0, x, kSeqCst), two = graph.store(1, x, kRelaxed, 2);
        graph.load(3, x, two);
        graph.load(3, x, one);
        graph.load(2, x, two, kSeqCst);
        return graph.may_load(2, y, initial(y), kSeqCst);
      },
      kAllowed, kAllowed);
}

TEST(SeqCst, WriteWriteMergingTellsTheModelsApart) {  // WWmerge
  expect_verdicts(
      [](Builder& graph) {
        graph.store(0, x, kSeqCst);
        const Slot two = graph.store(0, x, kRelease, 2);
        graph.load(1, x, two, kAcquire);
        graph.load(1, y, initial(y), kSeqCst);
        graph.store(2, y, kSeqCst);
        return graph.may_load(2, x, initial(x), kSeqCst);
      },
      kForbidden, kAllowed);
}

TEST(SeqCst, AReadSkipsNoSeqCstWriteForAnOlderRelaxedOne) {  // SC-rlx-overwrite
  expect_verdicts(
      [](Builder& graph) {
        const Slot old = graph.store(0, x);
        graph.store(0, x, kSeqCst, 2);
        graph.load(0, y, initial(y), kSeqCst);
        graph.store(1, y, kSeqCst);
        return graph.may_load(1, x, old, kSeqCst);
      },
      kForbidden, kForbidden);
}

TEST(SeqCst, AReadMaySeeARelaxedWriteThatIsNewerThanTheLastSeqCstOne) {  // SC-rlx-newer
  expect_verdicts(
      [](Builder& graph) {
        graph.store(0, x, kSeqCst);
        graph.load(0, y, initial(y), kSeqCst);
        const Slot two = graph.store(1, x, kRelaxed, 2);
        graph.store(1, y, kSeqCst);
        return graph.may_load(1, x, two, kSeqCst);
      },
      kAllowed, kAllowed);
}

// --- threads that are created and joined ------------------------------------------------------------------------------------

TEST(SeqCst, WhatAThreadDidIsBeforeWhatComesAfterItsJoin) {
  // Store buffering, with the first pair split over a thread and the one that joins it.
  expect_verdicts(
      [](Builder& graph) {
        graph.create(0, 1);
        graph.store(1, x, kSeqCst);
        graph.join(0, 1);
        graph.load(0, y, initial(y), kSeqCst);
        graph.store(2, y, kSeqCst);
        return graph.may_load(2, x, initial(x), kSeqCst);
      },
      kForbidden, kForbidden);
}

TEST(SeqCst, WhatComesBeforeACreationIsBeforeWhatTheThreadDoes) {
  expect_verdicts(
      [](Builder& graph) {
        graph.store(0, x, kSeqCst);
        graph.create(0, 1);
        graph.load(1, y, initial(y), kSeqCst);
        graph.store(2, y, kSeqCst);
        return graph.may_load(2, x, initial(x), kSeqCst);
      },
      kForbidden, kForbidden);
}

TEST(SeqCst, AReadModifyWriteOfAJoinedThreadIsBeforeWhatComesAfterItsJoin) {
  expect_verdicts(
      [](Builder& graph) {
        graph.create(0, 1);
        graph.rmw(1, x, initial(x), kSeqCst);
        graph.join(0, 1);
        graph.load(0, y, initial(y), kSeqCst);
        graph.store(2, y, kSeqCst);
        return graph.may_load(2, x, initial(x), kSeqCst);
      },
      kForbidden, kForbidden);
}

// --- the solver ---------------------------------------------------------------------------------------------------------------

TEST(SeqCst, ForcesTheOrderOfWritesThatOnlyOneOrderAllows) {
  Builder graph;
  const Slot a = graph.store(0, x, kSeqCst), b = graph.store(1, x, kSeqCst);
  EXPECT_TRUE(graph.open(a, b));
  graph.store(0, y, kSeqCst);              // a, then y
  graph.load(1, y, initial(y), kSeqCst);   // b, then y is still 0: b is before y's store in S, and says nothing of a
  EXPECT_TRUE(graph.open(a, b));
  graph.load(1, z, initial(z), kSeqCst);
  const Slot last = graph.load(2, x, a, kSeqCst);
  graph.store(2, z, kSeqCst);              // a's reader is before z's store …
  EXPECT_TRUE(graph.open(a, b));
  // … and the read of z=0 after b is before it. A read of b's value that comes before a's, in S and so in mo, decides.
  graph.load(0, x, b, kSeqCst);
  EXPECT_TRUE(graph.forced(a, b));
  EXPECT_TRUE(graph.hb(a, last));
}

TEST(SeqCst, ForcedOrdersAreTakenBackWithTheEventThatForcedThem) {
  Builder graph;
  const Slot a = graph.store(0, x, kSeqCst), b = graph.store(1, x, kSeqCst);
  graph.load(1, y, initial(y), kSeqCst);
  const Slot flag = graph.store(0, y, kSeqCst);
  graph.load(2, y, flag, kSeqCst);
  const std::string before = dump(graph.graph);
  const Slot seen = graph.load(2, x, a, kSeqCst);  // b is before the flag's store in S, and a is what the reader sees
  EXPECT_TRUE(graph.forced(b, a));
  graph.graph.pop();
  EXPECT_TRUE(graph.open(a, b));
  EXPECT_EQ(dump(graph.graph), before);
  EXPECT_EQ(number(seen), graph.graph.size());
}

/// F hb W rf R hb F': nothing synchronises from W to R, and yet F is before F'.
TEST(SeqCst, AFenceIsBeforeAFenceBehindAReadOfWhatItHappensBefore) {
  for (const MemoryOrder order : {kSeqCst, kAcqRel})
    expect_verdicts(
        [&](Builder& graph) {
          graph.store(0, y);
          graph.fence(0, order);
          const Slot flag = graph.store(0, z, kRelease);
          graph.load(1, z, flag, kAcquire);
          const Slot seen = graph.store(1, x);
          graph.load(2, x, seen);
          graph.fence(2, kSeqCst);
          return graph.may_load(2, y, initial(y));
        },
        order != kSeqCst, order != kSeqCst);
}

/// Writes a, b of x and c, d of y, whose orders are open. For each combination of orders two threads can forbid it, with
/// reads of, for a before b and c before d: b then c, and d then a. No single order is impossible, so nothing is forced;
/// only a search finds out.
class TwoOpenPairs {
 public:
  explicit TwoOpenPairs(Model model) : graph_(model, 12, 2) {
    for (int i = 0; i < 4; ++i) write_[i] = graph_.store(i, i / 2, kSeqCst, i + 1);
  }
  /// Adds the two threads that forbid a combination, 0 to 3. Whether the graph is still consistent.
  bool forbid(int combination) {
    const int low = combination & 1, high = combination >> 1;
    const Slot a = write_[low], b = write_[1 - low], c = write_[2 + high], d = write_[3 - high];
    const int thread = next_thread_;
    next_thread_ += 2;
    graph_.load(thread, x, b, kSeqCst);
    graph_.load(thread, y, c, kSeqCst);
    graph_.load(thread + 1, y, d, kSeqCst);
    const bool may = graph_.may_load(thread + 1, x, a, kSeqCst);
    if (may) graph_.load(thread + 1, x, a, kSeqCst);
    return may;
  }

 private:
  Builder graph_;
  Slot write_[4];
  int next_thread_ = 4;
};

TEST(SeqCst, TheSearchFindsTheOnlyOrdersThatArePossibleAndThatNoneAre) {
  for (const Model model : {Model::kCpp20, Model::kRc11})
    for (int last = 0; last < 4; ++last) {
      TwoOpenPairs pairs(model);
      for (int combination = 0; combination < 4; ++combination)
        EXPECT_TRUE(combination == last || pairs.forbid(combination)) << name_of(model) << ", all but " << last;
      EXPECT_FALSE(pairs.forbid(last)) << name_of(model) << ", last " << last;
    }
}

/// The relaxed read is no node of psc, but it says which of two seq_cst stores comes first.
TEST(SeqCst, ARelaxedReadMayNotOrderTheStoresAgainstIt) {
  expect_verdicts(
      [](Builder& graph) {
        graph.store(0, y, kSeqCst);
        const Slot two = graph.store(1, x, kSeqCst, 2);
        graph.load(1, y, initial(y), kSeqCst);
        graph.store(0, x, kSeqCst);        // so x=2 comes before y=1 and that before x=1,
        return graph.may_load(0, x, two);  // which this denies
      },
      kForbidden, kForbidden);
}

TEST(SeqCst, MoreThanSixtyFourEventsAreFine) {
  for (const Model model : {Model::kCpp20, Model::kRc11}) {
    Builder graph(model);
    for (int i = 0; i < 40; ++i) {
      graph.store(0, x, kSeqCst, i);
      graph.store(1, y, kSeqCst, i);
    }
    graph.load(0, y, initial(y), kSeqCst);
    EXPECT_FALSE(graph.may_load(1, x, initial(x), kSeqCst));
    EXPECT_TRUE(graph.may_load(1, x, graph.graph.last_write(LocationId{x}), kSeqCst));
  }
}

}  // namespace
}  // namespace ordeal::model::testing
