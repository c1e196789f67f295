// Bytes that carry over: between plain accesses and atomic ones, and between atomic accesses of different sizes.
//
// Memory holds what was written last in this run, the graph knows what may be read. A plain read of atomic memory is a load in the graph, whose result is put
// into memory; a plain write there is a store of what memory then holds.
//
// Atomic accesses of different sizes to the same bytes must be ordered by happens-before; if some are not, in any execution, the program is
// refused. Then the location goes on as a new one (its next generation, locations.h), whose initial value is made of what the thread reads at the locations that wrote the bytes last:
//
//     a.store(1), b.store(2)   4 bytes each, by two threads; joined          both a.load, b.load (plain), then
//     whole.load()             8 bytes, by main                              a read of the new location: 0x2'00000001
//
// If several threads access it first, each of them reads those others; coherence makes all read the same.
#pragma once

#include <cstddef>
#include <cstdint>

#include "runtime/access.h"

namespace ordeal::runtime {

/// Before a plain read: memory gets what it sees.
void settle_for_read(std::uintptr_t address, std::size_t size, std::uintptr_t site);
/// Before a plain write: the same for bytes beside it that are part of the same locations.
void settle_for_write(std::uintptr_t address, std::size_t size, std::uintptr_t site);
/// After a plain write: the locations get what memory holds.
void carry_over(std::uintptr_t address, std::size_t size, std::uintptr_t site);
/// Before an atomic access to memory that has been accessed with another size in some execution.
void carry_over_sizes(const Cell& cell, bool is_write);

}  // namespace ordeal::runtime
