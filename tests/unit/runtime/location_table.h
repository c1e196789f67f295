// What tests of the table of locations share: a table in its first execution, and some memory.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>

#include "runtime/heap.h"
#include "runtime/locations.h"
#include "runtime/shadow.h"

namespace ordeal::runtime::testing {

using model::LocationId;
using model::Value;

class LocationTable : public ::testing::Test {
 protected:
  LocationTable() { begin_execution(); }
  void begin_execution() {
    ProgramHeap::reset();
    Shadow::reset();
    locations_.begin_execution();
  }
  std::uintptr_t address(std::size_t offset) const { return reinterpret_cast<std::uintptr_t>(memory_) + offset; }
  LocationId at(std::size_t offset, std::uint32_t size) { return locations_.at(address(offset), size, LocationSort::kMemory); }
  /// What code that nobody instrumented does.
  void poke(std::size_t offset, std::uint64_t value, std::size_t size = 8) { std::memcpy(memory_ + offset, &value, size); }

  Locations locations_;
  alignas(16) unsigned char memory_[4096] = {};
};

}  // namespace ordeal::runtime::testing
