// What a plain access looks at first, while a program is tested at random: whether the cell of its 8 bytes (race_shadow.h) has it already.
//
// Most accesses need no more, and then the way to them costs more than they do: an indirect jump into the library takes as long as all
// that is looked at there. So these lines are also part of the program itself (fast_path.cpp).
#pragma once

#include <cstddef>
#include <cstdint>

namespace ordeal::runtime {

/// The last plain write and the last plain read of 8 bytes: words (tick, thread, bytes). 0: none.
struct RaceCell {
  std::uint64_t write, read;
};

struct PlainState {
  std::uint64_t self = 0;  // the words of accesses by the running thread begin with this
  bool is_noted = false;   // all that plain accesses need is to be noted in the cells: there are several threads, and nothing else is to be looked at
};

// Cells have a place of their own in the address space, found by the lowest bits of the address: where programs have memory (layout.h,
// and 0x5555…, 0x7fff… for code and data) these are different. Pages that nobody touches cost nothing.
constexpr std::uintptr_t kRaceCells = 0x300000000000, kRacePlaceBits = (std::uintptr_t{1} << 44) - 8;
inline RaceCell* race_cell_of(std::uintptr_t address) { return reinterpret_cast<RaceCell*>(kRaceCells + (address & kRacePlaceBits) * (sizeof(RaceCell) / 8)); }
/// Bits of the bytes. REQUIRES: they are in the same 8.
constexpr std::uint64_t race_mask_of(std::uintptr_t address, std::size_t size) { return ((std::uint64_t{1} << size) - 1) << (address & 7); }

/// Whether the word has these bytes, accessed by the thread in this tick.
[[gnu::always_inline]] inline bool has_access(std::uint64_t word, std::uint64_t self, std::uint64_t mask) { return (word & (~std::uint64_t{0xFF} | mask)) == (self | mask); }

/// Whether an access of the running thread is there already: it need not be noted again. If somebody came between, he has seen it.
/// REQUIRES: state.is_noted. A read is covered by a write, too.
[[gnu::always_inline]] inline bool has_plain(const PlainState& state, std::uintptr_t address, std::size_t size, bool is_write) {
  if (size > 8 || (address & 7) + size > 8) [[unlikely]] return false;
  const RaceCell& cell = *race_cell_of(address);
  const std::uint64_t mask = race_mask_of(address, size);
  const bool has_write = has_access(cell.write, state.self, mask);
  return has_write || (!is_write && has_access(cell.read, state.self, mask));
}

/// In the library. (A program knows it by another name: fast_path.cpp.)
extern "C" __attribute__((visibility("hidden"))) PlainState ordeal_plain_state;

}  // namespace ordeal::runtime
