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

// Cells have a place of their own in the address space, found by the lowest bits of the address: where programs have memory (layout.h,
// and 0x5555…, 0x7fff… for code and data) these are different. Pages that nobody touches cost nothing.
constexpr std::uintptr_t kRaceCells = 0x300000000000, kRacePlaceBits = (std::uintptr_t{1} << 44) - 8;
inline RaceCell* race_cell_of(std::uintptr_t address) { return reinterpret_cast<RaceCell*>(kRaceCells + (address & kRacePlaceBits) * (sizeof(RaceCell) / 8)); }
/// Bits of the bytes. REQUIRES: they are in the same 8.
constexpr std::uint64_t race_mask_of(std::uintptr_t address, std::size_t size) { return ((std::uint64_t{1} << size) - 1) << (address & 7); }

/// What the first look needs, to be as few instructions as can be: constants in it are nearer than in the code.
struct PlainState {
  static constexpr std::uint64_t kNever = std::uint64_t{1} << 62;  // no word of a cell has this bit
  std::uint64_t self = 0;                                          // the words of accesses by the running thread begin with this
  std::uintptr_t place_bits = 0;                                   // the cell of an address is cells[(address & place_bits) / 8]
  const RaceCell* cells = &none;
  bool is_noted = false;   // all that plain accesses need is to be noted in the cells: there are several threads, and nothing else is to be looked at
  std::uint64_t masks_1[8] = {}, masks_2[8] = {}, masks_4[8] = {};  // race_mask_of, by the last bits of the address; kNever: in two cells
  RaceCell none = {kNever << 1, kNever << 1};                      // has no access

  constexpr PlainState() {
    for (std::uintptr_t at = 0; at < 8; ++at) {
      masks_1[at] = race_mask_of(at, 1);
      masks_2[at] = at <= 6 ? race_mask_of(at, 2) : kNever;
      masks_4[at] = at <= 4 ? race_mask_of(at, 4) : kNever;
    }
  }
  /// If not, all addresses have the cell `none`.
  void set_noted(bool noted) {
    is_noted = noted;
    place_bits = noted ? kRacePlaceBits : 0;
    cells = noted ? race_cell_of(0) : &none;
  }
};

/// Whether the word has these bytes, accessed by the thread in this tick.
[[gnu::always_inline]] inline bool has_access(std::uint64_t word, std::uint64_t self, std::uint64_t mask) { return (word & (~std::uint64_t{0xFF} | mask)) == (self | mask); }

/// Whether an access of the running thread is there already: it need not be noted again. If somebody came between, he has seen it.
/// False if accesses are not only noted. A read is covered by a write, too.
[[gnu::always_inline]] inline bool has_plain(const PlainState& state, std::uintptr_t address, std::size_t size, bool is_write) {
  if ((size != 1 && size != 2 && size != 4 && size != 8) || (size == 8 && (address & 7) != 0)) [[unlikely]] return false;
  const std::uint64_t mask = size == 8 ? 0xFF : (size == 4 ? state.masks_4 : size == 2 ? state.masks_2 : state.masks_1)[address & 7];
  const RaceCell& cell = *reinterpret_cast<const RaceCell*>(reinterpret_cast<std::uintptr_t>(state.cells) + (address & state.place_bits) * (sizeof(RaceCell) / 8));
  const bool has_write = has_access(cell.write, state.self, mask);
  return has_write || (!is_write && has_access(cell.read, state.self, mask));
}

/// In the library. (A program knows it by another name: fast_path.cpp.)
extern "C" __attribute__((visibility("hidden"))) PlainState ordeal_plain_state;

}  // namespace ordeal::runtime
