// The program's heap while it is tested at random: memory is used again, as whole programs need, but late.
//
// Addresses are handed out in chunks of 64 KB, in order. A chunk has slots of one size, or is part of one large block; so the slot of
// any address is found by division. A slot is a header and the block. Blocks that are freed wait in a queue, where a use or a second
// free of them is found, until there are too many; then their slots go to those of their size that are free, last in, first out. All of
// it depends on what the program asks for only, and begins anew in each execution.
//
// The states of heap.h tell what is in use. A block that is given out is a new object: what others did there is forgotten, and the
// thread that gets it counts as having written it (race_shadow.h).
//
// Cost: some 40 ns for a block that is taken and freed by a thread that is alone, twice as much if there are others.
#pragma once

#include <cstddef>
#include <cstdint>

#include "runtime/heap.h"
#include "sample/rows.h"

namespace ordeal::runtime {

class TestHeap {
 public:
  /// nullptr: so much cannot be.
  static void* allocate(int thread, std::size_t size, std::size_t alignment, bool clear, std::uint32_t stack, Origin origin);
  static ProgramHeap::FreeResult release(std::uintptr_t block, int thread, std::uint32_t stack);
  /// The block that contains the address, or one with address 0.
  static Block find(std::uintptr_t address);
  static bool is_untouched(std::uintptr_t address, std::size_t size);
  /// If the thread got the block there in this tick: where; otherwise 0.
  static std::uint32_t where_given_out(std::uintptr_t address, int thread, sample::Tick tick);
  static std::uint64_t blocks_given_out() { return blocks_given_out_; }
  /// The next execution begins.
  static void reset();

  /// A sync object was used at this address of the heap: it must be forgotten with its block.
  static void note_sync_object(std::uintptr_t address);
  /// Called for a block that has sync objects, when it is freed.
  using Forget = void (*)(std::uintptr_t address, std::size_t size);
  static void set_forget(Forget forget);

 private:
  struct Slot;
  static Slot* slot_of(std::uintptr_t address);
  static void put_into_queue(Slot* slot);
  static void leave_queue();
  static std::uint64_t blocks_given_out_;
};

}  // namespace ordeal::runtime
