#include "sample/rows.h"

#include <gtest/gtest.h>

namespace ordeal::sample {
namespace {

TEST(RowsTest, WhoLetsGoLastFreesIt) {
  Rows rows;
  Row* row = rows.make(5);
  EXPECT_EQ(row->width, 5u);
  EXPECT_EQ(rows.share(row), row);
  rows.let_go(row);
  EXPECT_EQ(rows.in_use(), 1u);
  rows.let_go(row);
  EXPECT_EQ(rows.in_use(), 0u);
  rows.let_go(rows.share(nullptr));
  EXPECT_EQ(rows.in_use(), 0u);
}

TEST(RowsTest, RowHoldsItsFence) {
  Rows rows;
  Row* fence = rows.make(0);
  Row* row = rows.make(3);
  row->fence = rows.share(fence);
  rows.let_go(fence);
  EXPECT_EQ(rows.in_use(), 2u);
  rows.let_go(row);
  EXPECT_EQ(rows.in_use(), 0u);
}

TEST(RowsTest, FreedRowsAreUsedAgainByOthersOfTheirWidth) {
  Rows rows;
  Row* first = rows.make(6);
  first->is_mixed = true;
  first->time = 9;
  rows.let_go(first);
  Row* other = rows.make(2);
  EXPECT_NE(other, first);
  Row* second = rows.make(7);
  EXPECT_EQ(second, first);
  EXPECT_FALSE(second->is_mixed);
  EXPECT_EQ(second->time, 0u);
  EXPECT_EQ(second->fence, nullptr);
  rows.let_go(second);
  rows.let_go(other);
}

TEST(RowsTest, BeyondItsWidthNothingIsKnown) {
  Rows rows;
  Row* row = rows.make(2);
  row->ticks()[0] = 4;
  row->ticks()[1] = 5;
  EXPECT_EQ(row->at(1), 5u);
  EXPECT_EQ(row->at(2), 0u);
  EXPECT_EQ(row->at(300), 0u);
  rows.let_go(row);
}

TEST(RowsTest, WideOnesAreMade) {
  Rows rows;
  Row* rows_of_many[10];
  for (Row*& row : rows_of_many) {
    row = rows.make(1000);
    for (int u = 0; u < 1000; ++u) row->ticks()[u] = static_cast<Tick>(u);
  }
  for (Row* row : rows_of_many) {
    EXPECT_EQ(row->at(999), 999u);
    rows.let_go(row);
  }
  EXPECT_EQ(rows.in_use(), 0u);
}

}  // namespace
}  // namespace ordeal::sample
