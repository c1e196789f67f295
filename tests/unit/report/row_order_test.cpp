// The order of the rows: an interleaving if there is one, else as few old reads as can be.
#include "report/row_order.h"

#include <gtest/gtest.h>

#include "fake_names.h"

namespace ordeal::report {
namespace {

using model::MemoryOrder;
using testing::TraceMaker;
using trace::EventName;
using Order = std::vector<std::size_t>;

constexpr MemoryOrder kRelaxed = MemoryOrder::kRelaxed;

TEST(RowOrder, AReadOfTheInitialValueComesBeforeTheWrite) {
  trace::Trace trace;
  TraceMaker events(trace, {"P0", "P1"});
  const int x = events.location(0x100);
  events.write(0, x, 1, kRelaxed, 1);
  events.read(1, x, 0, kRelaxed, {-1, x}, 2);
  const RowOrder order = row_order(trace);
  EXPECT_EQ(order.events, (Order{1, 0}));
  EXPECT_TRUE(order.is_interleaving);
  EXPECT_FALSE(order.is_weak);
}

TEST(RowOrder, StoreBufferingIsWeak) {
  trace::Trace trace;
  TraceMaker events(trace, {"P0", "P1"});
  const int x = events.location(0x100), y = events.location(0x200);
  events.write(0, x, 1, kRelaxed, 1);
  events.read(0, y, 0, kRelaxed, {-1, y}, 2);
  events.write(1, y, 1, kRelaxed, 3);
  events.read(1, x, 0, kRelaxed, {-1, x}, 4);
  const RowOrder order = row_order(trace);
  EXPECT_EQ(order.events, (Order{0, 1, 2, 3}));
  EXPECT_FALSE(order.is_interleaving);
  EXPECT_TRUE(order.is_weak);
}

TEST(RowOrder, ThreadsBeginBehindTheirCreationAndEndBeforeTheirJoin) {
  trace::Trace trace;
  TraceMaker events(trace, {"main", "thread 1"});
  const int x = events.location(0x100);
  events.create(0, 1, 1);
  events.add(0, model::EventKind::kJoin, MemoryOrder::kSeqCst, 2);
  trace.events.back().other = 1;
  events.write(1, x, 1, kRelaxed, 3);
  EXPECT_EQ(row_order(trace).events, (Order{0, 2, 1}));
}

TEST(RowOrder, AReadModifyWriteStaysTogether) {
  trace::Trace trace;
  TraceMaker events(trace, {"P0", "P1"});
  const int x = events.location(0x100);
  events.lock(0, x, 1);
  events.read(1, x, 0, kRelaxed, {-1, x}, 2);
  EXPECT_EQ(row_order(trace).events, (Order{2, 0, 1}));
}

TEST(RowOrder, WhatTakesTooLongStandsAsInTheTrace) {
  trace::Trace trace;
  TraceMaker events(trace, {"P0", "P1"});
  const int x = events.location(0x100);
  for (int i = 0; i < 3000; ++i) events.write(i % 2, x, i, kRelaxed, 1);
  const RowOrder order = row_order(trace);
  EXPECT_EQ(order.events.front(), 0U);
  EXPECT_EQ(order.events.back(), 2999U);
  EXPECT_FALSE(order.is_interleaving);
  EXPECT_FALSE(order.is_weak);
}

}  // namespace
}  // namespace ordeal::report
