// Executions by hand on a sample::Memory: three locations and some threads, all created by thread 0.
//
//   Steps steps;
//   const StoreId data = steps.store(1, x, kRelaxed);
//   steps.store(1, y, kRelease);
//   steps.load(2, y, steps.newest(y), kAcquire);
//   EXPECT_EQ(steps.readable(2, x), std::set{data});
#pragma once

#include <gtest/gtest.h>

#include <set>

#include "sample/memory.h"

namespace ordeal::sample::testing {

using enum MemoryOrder;

constexpr Memory::LocationId x = 0, y = 1, z = 2;

class Steps {
 public:
  explicit Steps(int threads = 4) {
    for (int l = 0; l < 3; ++l) initial_[l] = memory.last_id(memory.new_location(0));
    for (int t = 1; t <= threads; ++t) memory.create(0, t);
  }

  StoreId initial(Memory::LocationId location) const { return initial_[location]; }
  StoreId newest(Memory::LocationId location) const { return memory.last_id(location); }
  /// Behind all.
  StoreId store(int thread, Memory::LocationId location, MemoryOrder order = kRelaxed) { return memory.write(thread, location, ++value_, order, kNoStore); }
  StoreId store_behind(StoreId after, int thread, Memory::LocationId location, MemoryOrder order = kRelaxed) {
    EXPECT_TRUE(readable(thread, location, order).contains(after));
    return memory.write(thread, location, ++value_, order, after);
  }
  void load(int thread, Memory::LocationId location, StoreId source, MemoryOrder order = kRelaxed) {
    EXPECT_TRUE(readable(thread, location, order).contains(source)) << "thread " << thread << ", location " << location;
    memory.read(thread, location, source, order);
  }
  StoreId rmw(int thread, Memory::LocationId location, StoreId source, MemoryOrder order = kRelaxed) {
    load(thread, location, source, order);
    return memory.write_behind(thread, location, source, ++value_, order);
  }
  void fence(int thread, MemoryOrder order) { memory.fence(thread, order); }

  std::set<StoreId> readable(int thread, Memory::LocationId location, MemoryOrder order = kRelaxed) {
    std::set<StoreId> found;
    const std::uint32_t count = memory.readable(thread, location, order);
    for (std::uint32_t i = 0; i < count; ++i) found.insert(memory.readable_at(location, i));
    EXPECT_EQ(found.size(), count);
    return found;
  }
  bool may_read(int thread, Memory::LocationId location, StoreId source, MemoryOrder order = kRelaxed) {
    const bool may = readable(thread, location, order).contains(source);
    EXPECT_EQ(memory.may_read(thread, location, order, source), may);
    return may;
  }

  Memory memory;

 private:
  StoreId initial_[3];
  Value value_ = 0;
};

}  // namespace ordeal::sample::testing
