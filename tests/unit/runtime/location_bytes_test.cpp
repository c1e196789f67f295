// Memory that is accessed with several sizes: which location has written which byte last.
#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "location_table.h"

namespace ordeal::runtime::testing {
namespace {

using Source = Locations::Source;

class LocationBytes : public LocationTable {
 protected:
  void write(LocationId location, Value value) {
    locations_.put(location, value);
    locations_.note_written(locations_[location]);
  }
  static std::vector<Source> list(const Locations::Sources& sources) { return {sources.begin(), sources.end()}; }
  std::vector<Source> sources(LocationId location) const { return list(locations_.sources(location)); }
  LocationId begin_again(LocationId location) { return locations_.begin_again(location, locations_.sources(location)); }
};

TEST_F(LocationBytes, WhatNobodyHasWrittenHasNoSource) {
  const LocationId large = at(0, 8), small = at(0, 4);
  EXPECT_TRUE(sources(large).empty());
  EXPECT_FALSE(locations_.must_begin_again(large));
  EXPECT_FALSE(locations_.must_begin_again(small));
}

TEST_F(LocationBytes, EachByteComesFromWhoWroteItLast) {
  const LocationId large = at(0, 8), low = at(0, 4), third = at(2, 1);
  write(low, 0x44332211);
  EXPECT_EQ(sources(large), (std::vector<Source>{{low, 0xF}}));
  write(third, 0x99);
  EXPECT_EQ(sources(large), (std::vector<Source>{{low, 0xB}, {third, 1}}));
  EXPECT_EQ(locations_.load(address(0), 8), 0x44992211);
  write(large, -1);
  EXPECT_EQ(sources(large), (std::vector<Source>{{large, 0xFF}}));
  EXPECT_EQ(sources(third), (std::vector<Source>{{large, 0xFF}}));
}

TEST_F(LocationBytes, EachGenerationOfALocationHasTheBytesThatItWroteLast) {
  const LocationId large = at(0, 8), low = at(0, 4);
  const auto those_of_large = [&](std::size_t begin, std::size_t end) {
    std::vector<Source> found;
    locations_.for_each_source_of(large, address(begin), address(end), [&](const Source& source) { found.push_back(source); });
    return found;
  };
  EXPECT_TRUE(those_of_large(0, 8).empty());
  write(large, 1);
  EXPECT_EQ(those_of_large(0, 1), (std::vector<Source>{{large, 0xFF}}));
  write(low, 2);
  EXPECT_EQ(those_of_large(0, 8), (std::vector<Source>{{large, 0xF0}}));
  EXPECT_TRUE(those_of_large(0, 4).empty());
  const LocationId second = begin_again(large);
  EXPECT_EQ(those_of_large(3, 5), (std::vector<Source>{{large, 0xF0}})) << "nobody has written the second";
  write(second, 3);
  EXPECT_EQ(those_of_large(0, 8), (std::vector<Source>{{second, 0xFF}}));
}

TEST_F(LocationBytes, ALocationGoesOnAsAnotherWhenItsBytesWereWrittenWithAnotherSize) {
  const LocationId large = at(0, 8), low = at(0, 4);
  write(large, 0x1111111122222222);
  EXPECT_FALSE(locations_.must_begin_again(large));
  ASSERT_TRUE(locations_.must_begin_again(low));
  const LocationId second = begin_again(low);
  EXPECT_NE(second, low);
  EXPECT_EQ(at(0, 4), second);
  EXPECT_EQ(locations_.initial(second), 0x22222222);
  EXPECT_FALSE(locations_.must_begin_again(second));
  EXPECT_FALSE(locations_.must_begin_again(large)) << "nobody has written with the other size";
  EXPECT_EQ(list(locations_.begun_with(second)), (std::vector<Source>{{large, 0xFF}}));
  write(second, 0x33333333);
  ASSERT_TRUE(locations_.must_begin_again(large));
  EXPECT_EQ(sources(large), (std::vector<Source>{{second, 0xF}, {large, 0xF0}}));
  EXPECT_EQ(locations_.initial(begin_again(large)), 0x1111111133333333);
}

TEST_F(LocationBytes, AnEarlierGenerationKeepsBytesThatNobodyWroteSince) {
  const LocationId large = at(0, 8), low = at(0, 4), high = at(4, 4);
  write(large, 0x0000000500000006);
  write(begin_again(low), 7);
  const LocationId second = begin_again(large);  // and is read only
  EXPECT_EQ(locations_.initial(second), 0x0000000500000007);
  EXPECT_EQ(sources(high), (std::vector<Source>{{large, 0xF0}}));
}

TEST_F(LocationBytes, MemoryThatOtherCodeHasChangedIsItsOwnSource) {
  const LocationId large = at(0, 8), low = at(0, 4), high = at(4, 4);
  write(low, 1), write(high, 2);
  poke(1, 9, 1);
  EXPECT_EQ(sources(large), (std::vector<Source>{{high, 0xF}}));
  EXPECT_EQ(locations_.initial(begin_again(large)), 0x0000000200000901);
}

TEST_F(LocationBytes, OnlyTheBytesOfASourceArePut) {
  const LocationId large = at(0, 8);
  at(0, 4);
  write(large, 0x1122334455667788);
  locations_.put(Source{large, 0x81}, 0x0102030405060708);
  EXPECT_EQ(locations_.load(address(0), 8), 0x0122334455667708);
  const LocationId wide = at(16, 16);
  locations_.put(Source{wide, 0x8001}, locations_.intern(~static_cast<unsigned __int128>(0)));
  EXPECT_EQ(locations_.load(address(16), 8), 0xFF);
  EXPECT_EQ(locations_.load(address(24), 1), 0);
  EXPECT_EQ(locations_.load(address(31), 1), 0xFF);
}

TEST_F(LocationBytes, APlainWriteMakesAllThatItTouchesComplete) {
  const LocationId large = at(0, 8), low = at(0, 4);
  write(large, 1);
  EXPECT_TRUE(locations_.must_begin_again(low));
  const std::uint64_t time = locations_.time();
  locations_.note_overwritten(low, time);
  locations_.note_overwritten(large, time);
  EXPECT_FALSE(locations_.must_begin_again(low));
  EXPECT_FALSE(locations_.must_begin_again(large));
  write(low, 2);
  EXPECT_TRUE(locations_.must_begin_again(large));
}

TEST_F(LocationBytes, EachThreadLooksAtTheSourcesOnce) {
  const LocationId large = at(0, 8), low = at(0, 4);
  write(large, 1);
  const LocationId second = begin_again(low);
  EXPECT_FALSE(locations_.has_looked(second, 1));
  locations_.note_look(second, 1);
  EXPECT_TRUE(locations_.has_looked(second, 1));
  EXPECT_FALSE(locations_.has_looked(second, 2));
  EXPECT_FALSE(locations_.has_looked(large, 1));
}

TEST_F(LocationBytes, ALocationHasAllItsBytesUnlessSomebodyWroteSomeSince) {
  const LocationId large = at(0, 8), high = at(4, 4), apart = at(16, 8);
  write(large, 1);
  EXPECT_TRUE(locations_.has_all_bytes(large));
  write(high, 1);
  EXPECT_FALSE(locations_.has_all_bytes(large));
  EXPECT_TRUE(locations_.has_all_bytes(high));
  EXPECT_TRUE(locations_.has_all_bytes(apart));
}

TEST_F(LocationBytes, TheNextExecutionKnowsNothingOfIt) {
  const LocationId large = at(0, 8), low = at(0, 4);
  write(large, 1);
  const LocationId second = begin_again(low);
  locations_.note_look(second, 1);
  begin_execution();
  EXPECT_EQ(at(0, 4), low);
  EXPECT_FALSE(locations_.is_mixed(low));
  EXPECT_TRUE(sources(low).empty());
  at(0, 8);
  write(large, 1);
  EXPECT_EQ(begin_again(low), second) << "graphs of different executions are compared";
  EXPECT_EQ(locations_.begun_with(second).size(), 1U);
  EXPECT_FALSE(locations_.has_looked(second, 1));
}

TEST_F(LocationBytes, AMilestoneIsGoneBackTo) {
  const LocationId large = at(0, 8), low = at(0, 4);
  write(large, 1);
  Locations::Image image;
  locations_.keep(image);
  for (int turn = 0; turn < 2; ++turn) {
    const LocationId second = begin_again(low);
    locations_.note_look(second, 1);
    write(second, 2);
    EXPECT_TRUE(locations_.must_begin_again(large));
    locations_.go_back(image);
    EXPECT_EQ(at(0, 4), low);
    EXPECT_TRUE(locations_.must_begin_again(low));
    EXPECT_FALSE(locations_.must_begin_again(large));
    EXPECT_EQ(locations_.begun_with(second).size(), 0U);
    EXPECT_FALSE(locations_.has_looked(second, 1));
  }
}

TEST_F(LocationBytes, TooManyTurnsAreNoticed) {
  const LocationId large = at(0, 8), low = at(0, 4);
  int turns = 0;
  for (LocationId one = large, other = low; one != Locations::kUnknown; ++turns) {
    write(one, turns);
    const LocationId next = begin_again(other);
    other = one;
    one = next;
  }
  EXPECT_EQ(turns, 63);  // 31 further generations of each, and the one that is not there
}

}  // namespace
}  // namespace ordeal::runtime::testing
