#include "model/event.h"

#include <gtest/gtest.h>

#include <limits>

namespace ordeal::model {
namespace {

Access rmw(RmwFunction function, Value operand, int bits = 64, bool is_signed = true) {
  Access access;
  access.function = function;
  access.operand = operand;
  access.bits = static_cast<std::uint8_t>(bits);
  access.is_signed = is_signed;
  return access;
}

TEST(Events, SlotsOfInitialWritesAreNegativeAndDiffer) {
  EXPECT_EQ(number(initial_write(LocationId{0})), -1);
  EXPECT_EQ(number(initial_write(LocationId{7})), -8);
  EXPECT_TRUE(is_initial(initial_write(LocationId{7})));
  EXPECT_FALSE(is_initial(Slot{0}));
  EXPECT_FALSE(is_initial(kNone));
}

TEST(Events, OrdersReleaseAndAcquire) {
  using enum MemoryOrder;
  for (const MemoryOrder order : {kPlain, kRelaxed, kAcquire, kRelease, kAcqRel, kSeqCst}) {
    EXPECT_EQ(acquires(order), order == kAcquire || order == kAcqRel || order == kSeqCst);
    EXPECT_EQ(releases(order), order == kRelease || order == kAcqRel || order == kSeqCst);
  }
}

TEST(Events, ValuesWrapToTheWidthOfTheLocation) {
  EXPECT_EQ(converted(rmw(RmwFunction::kNone, 0, 8, false), 256 + 3), 3);
  EXPECT_EQ(converted(rmw(RmwFunction::kNone, 0, 8, false), -1), 255);
  EXPECT_EQ(converted(rmw(RmwFunction::kNone, 0, 8, true), 200), -56);
  EXPECT_EQ(converted(rmw(RmwFunction::kNone, 0, 1, false), 2), 0);
  EXPECT_EQ(converted(rmw(RmwFunction::kNone, 0, 32, true), 0x80000000), std::numeric_limits<std::int32_t>::min());
  EXPECT_EQ(converted(rmw(RmwFunction::kNone, 0, 64, false), -1), -1);
}

TEST(Events, ReadModifyWritesComputeTheirValue) {
  EXPECT_EQ(value_written(rmw(RmwFunction::kAdd, 5), 7), 12);
  EXPECT_EQ(value_written(rmw(RmwFunction::kSub, 5), 7), 2);
  EXPECT_EQ(value_written(rmw(RmwFunction::kOr, 5), 2), 7);
  EXPECT_EQ(value_written(rmw(RmwFunction::kAnd, 5), 4), 4);
  EXPECT_EQ(value_written(rmw(RmwFunction::kXor, 5), 4), 1);
  EXPECT_EQ(value_written(rmw(RmwFunction::kExchange, 5), 7), 5);
  EXPECT_EQ(value_written(rmw(RmwFunction::kCompareExchange, 5), 7), 5);
  EXPECT_EQ(value_written(rmw(RmwFunction::kAdd, 1, 8, false), 255), 0);
  EXPECT_EQ(value_written(rmw(RmwFunction::kAdd, 1), std::numeric_limits<Value>::max()), std::numeric_limits<Value>::min());
  EXPECT_EQ(value_written(rmw(RmwFunction::kSub, 1, 16, false), 0), 65535);
}

TEST(Events, OnlyACompareExchangeThatFindsWhatItExpectsWrites) {
  Access access = rmw(RmwFunction::kCompareExchange, 5);
  access.expected = 3;
  EXPECT_TRUE(writes_after_reading(access, 3));
  EXPECT_FALSE(writes_after_reading(access, 4));
  EXPECT_TRUE(writes_after_reading(rmw(RmwFunction::kAdd, 1), 4));
  EXPECT_FALSE(writes_after_reading(rmw(RmwFunction::kNone, 1), 4));
}

TEST(Events, AccessesAndSeqCstEventsAreReadsWritesAndFences) {
  Event event;
  event.order = MemoryOrder::kSeqCst;
  for (const EventKind kind : {EventKind::kRead, EventKind::kWrite, EventKind::kFence, EventKind::kCreate, EventKind::kJoin,
                               EventKind::kChoice, EventKind::kNote}) {
    event.kind = kind;
    EXPECT_EQ(is_access(event), kind == EventKind::kRead || kind == EventKind::kWrite);
    EXPECT_EQ(is_seq_cst(event), is_access(event) || kind == EventKind::kFence);
  }
}

}  // namespace
}  // namespace ordeal::model
