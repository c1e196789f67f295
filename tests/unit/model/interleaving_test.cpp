#include "model/interleaving.h"

#include <gtest/gtest.h>

#include "builder.h"
#include "model/acyclic.h"

namespace ordeal::model::testing {
namespace {

/// `shape` builds a graph and returns whether its last operation may come.
template <class Graph>
void expect_verdicts(Graph&& shape, bool sc, bool tso) {
  Builder first(Model::kSc), second(Model::kTso);
  EXPECT_EQ(shape(first), sc) << "sc";
  EXPECT_EQ(shape(second), tso) << "tso";
}

bool store_buffering(Builder& graph, MemoryOrder store, MemoryOrder fence) {
  for (const int t : {0, 1}) {
    graph.store(t, t == 0 ? x : y, store);
    if (fence != kPlain) graph.fence(t, fence);
    if (t == 0) graph.load(0, y, initial(y), kSeqCst);
  }
  return graph.may_load(1, x, initial(x), kSeqCst);
}

TEST(Interleaving, StoreBufferingIsWhatTsoHasAndScHasNot) {
  expect_verdicts([](Builder& graph) { return store_buffering(graph, kRelaxed, kPlain); }, false, true);
  expect_verdicts([](Builder& graph) { return store_buffering(graph, kRelease, kPlain); }, false, true);
  expect_verdicts([](Builder& graph) { return store_buffering(graph, kPlain, kPlain); }, false, true);
}

TEST(Interleaving, SeqCstStoresAndFencesDrainTheStoreBuffer) {
  expect_verdicts([](Builder& graph) { return store_buffering(graph, kSeqCst, kPlain); }, false, false);
  expect_verdicts([](Builder& graph) { return store_buffering(graph, kRelaxed, kSeqCst); }, false, false);
  expect_verdicts([](Builder& graph) { return store_buffering(graph, kRelaxed, kAcqRel); }, false, true);
}

TEST(Interleaving, ReadModifyWritesAndFailingCompareExchangesDrainTheStoreBuffer) {
  for (const bool fails : {false, true})
    expect_verdicts(
        [&](Builder& graph) {
          for (const int t : {0, 1}) {
            graph.store(t, t == 0 ? x : y);
            if (fails) graph.failing_exchange(t, z, initial(z), kRelaxed);
            else graph.rmw(t, z, t == 0 ? initial(z) : graph.graph.last_write(LocationId{z}));
            if (t == 0) graph.load(0, y, initial(y));
          }
          return graph.may_load(1, x, initial(x));
        },
        false, false);
}

TEST(Interleaving, MessagesPassInBothModelsWithoutAnyOrder) {
  expect_verdicts(
      [](Builder& graph) {
        graph.store(0, x, kPlain);
        const Slot flag = graph.store(0, y, kPlain);
        graph.load(1, y, flag, kPlain);
        return graph.may_load(1, x, initial(x), kPlain);
      },
      false, false);
}

TEST(Interleaving, IndependentReadersAgree) {
  expect_verdicts(
      [](Builder& graph) {
        const Slot a = graph.store(0, x), b = graph.store(1, y);
        graph.load(2, x, a);
        graph.load(2, y, initial(y));
        graph.load(3, y, b);
        return graph.may_load(3, x, initial(x));
      },
      false, false);
}

TEST(Interleaving, AThreadReadsItsOwnBufferedStoreBeforeOthersSeeIt) {  // SB+rfis
  expect_verdicts(
      [](Builder& graph) {
        const Slot a = graph.store(0, x), b = graph.store(1, y);
        graph.load(0, x, a);
        graph.load(0, y, initial(y));
        graph.load(1, y, b);
        return graph.may_load(1, x, initial(x));
      },
      false, true);
}

TEST(Interleaving, ABufferedStoreMayBeReadBeforeAnEarlierOneOfAnotherThreadIsVisible) {  // n6 of the x86-TSO paper
  expect_verdicts(
      [](Builder& graph) {
        graph.store(1, y, kRelaxed, 2);
        graph.store(1, x, kRelaxed, 2);
        const Slot own = graph.store(0, x, kRelaxed, 1, 2);  // behind P1's in modification order
        graph.load(0, x, own);
        return graph.may_load(0, y, initial(y));
      },
      false, true);
}

TEST(Interleaving, ALoadSeesItsOwnStoreOrSomethingLater) {
  expect_verdicts(
      [](Builder& graph) {
        const Slot other = graph.store(1, x);
        graph.store(0, x, kRelaxed, 2, 2);
        return graph.may_load(0, x, other) || graph.may_load(0, x, initial(x));
      },
      false, false);
}

TEST(Interleaving, AStoreIsNotPutBeforeAnEarlierOneOfItsThread) {
  expect_verdicts(
      [](Builder& graph) {
        graph.store(0, x);
        return graph.may_store(0, x, kRelaxed, 1);
      },
      false, false);
}

TEST(Interleaving, CreationAndJoinOrderAndDrain) {
  for (const bool by_join : {false, true})
    expect_verdicts(
        [&](Builder& graph) {
          if (by_join) {
            graph.create(0, 1);
            graph.store(1, x);
            graph.join(0, 1);
            return graph.may_load(0, x, initial(x));
          }
          graph.store(0, x);
          graph.create(0, 1);
          return graph.may_load(1, x, initial(x));
        },
        false, false);
}

TEST(Interleaving, ModificationOrderIsAChoiceInTheseModelsOnly) {
  EXPECT_TRUE(Consistency(Model::kSc).mo_is_explicit());
  EXPECT_TRUE(Consistency(Model::kTso).mo_is_explicit());
  EXPECT_FALSE(Consistency(Model::kCpp20).mo_is_explicit());
  EXPECT_FALSE(Consistency(Model::kRc11).mo_is_explicit());
}

// --- EdgeList -------------------------------------------------------------------------------------------------------------------

TEST(EdgeList, FindsCyclesOfAnyLength) {
  EdgeList edges;
  for (int length = 1; length <= 20; ++length) {
    edges.start(20);
    for (int i = 0; i + 1 < length; ++i) edges.add(i, i + 1);
    EXPECT_TRUE(edges.is_acyclic());
    edges.add(length - 1, 0);
    EXPECT_FALSE(edges.is_acyclic()) << length;
  }
}

TEST(EdgeList, IsAcyclicWithoutEdgesOrNodes) {
  EdgeList edges;
  edges.start(0);
  EXPECT_TRUE(edges.is_acyclic());
  edges.start(3);
  EXPECT_TRUE(edges.is_acyclic());
  edges.add(0, 1);
  edges.add(0, 1);  // twice the same
  EXPECT_TRUE(edges.is_acyclic());
}

}  // namespace
}  // namespace ordeal::model::testing
