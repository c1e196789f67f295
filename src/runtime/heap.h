// The program's heap: a slice of addresses for each thread, handed out from the bottom up and never reused within an
// execution, so that an address depends only on the thread and its n-th allocation, and freed memory stays recognisable.
//
// Random testing has another one (test_heap.h), behind the same functions.
//
// Every 16 bytes have a state (never handed out, live, freed, between blocks, a block of no bytes), so one look tells whether an access is fine.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/vector_clock.h"
#include "runtime/layout.h"

namespace ordeal::runtime {

/// The function that gave a block out, or takes one back: they must fit.
enum class AllocatedBy : std::uint8_t { kMalloc, kNew, kNewArray };

/// How a block was asked for.
struct Origin {
  AllocatedBy by = AllocatedBy::kMalloc;
  std::uint8_t alignment = 0;  // of new with std::align_val_t: its logarithm; 0: without
  std::uint32_t site = 0;
};

struct Block {
  std::uintptr_t address = 0;
  std::size_t size = 0;
  int thread = -1;
  base::ClockEntry clock = 0;   // how many events that thread had in the graph before
  std::uint32_t allocated = 0;  // a stack (stacks.h), while recording
  std::uint32_t freed = 0;
  int freed_by = -1;
  Origin origin{};
};

class ProgramHeap {
 public:
  /// kLive + n: only the first n bytes are.
  enum class State : unsigned char { kUnused, kFreed, kBetween, kEmpty, kLive };

  /// What a thread may allocate in one execution; what is freed counts too, since it is not used again.
  static constexpr std::size_t kMostMemory = std::size_t{512} << 20;
  /// nullptr: that is used up. `clear`: the memory is zero, otherwise it holds a pattern.
  static void* allocate(int thread, base::ClockEntry clock, std::size_t size, std::size_t alignment, bool clear, std::uint32_t stack, Origin origin = {});
  enum class FreeResult { kDone, kTwice, kNotABlock };
  static FreeResult release(void* block, int thread, std::uint32_t stack) { return release(block, find(reinterpret_cast<std::uintptr_t>(block)), thread, stack); }
  /// The same; `found` is what `find` says of it.
  static FreeResult release(void* block, const Block& found, int thread, std::uint32_t stack);
  /// The thread that allocates there. REQUIRES: is_heap(address).
  static int owner(std::uintptr_t address) { return static_cast<int>((address - kHeapBase) / kHeapStride); }
  /// Whether all blocks of the thread were allocated before it had so many events.
  static bool all_allocated_before(int thread, base::ClockEntry events) {
    const Slice& slice = slices_[thread];
    return slice.count > 0 && header_of(slice.blocks[slice.count - 1])->clock < events;
  }
  /// The block that contains the address, or one with address 0.
  static Block find(std::uintptr_t address);
  static State state(std::uintptr_t address) { return states_[(address - kHeapBase) / kGrain]; }
  /// Whether the byte belongs to a block that is in use.
  static bool is_live(std::uintptr_t address) {
    const State found = state(address);
    return found == State::kLive || (found > State::kLive && address % kGrain < static_cast<std::size_t>(found) - static_cast<std::size_t>(State::kLive));
  }
  /// The first byte of the range that is not; 0: there is none.
  static std::uintptr_t first_not_live(std::uintptr_t address, std::size_t size) {
    for (std::uintptr_t at = address; at < address + size; at = (at / kGrain + 1) * kGrain)
      if (!is_live(at)) return at;
    return is_live(address + size - 1) ? 0 : address + size - 1;
  }
  /// Whether the bytes are as they were handed out, by anything but calloc. Code that nobody instrumented may have changed them.
  static bool is_untouched(std::uintptr_t address, std::size_t size);
  /// Calls `visit(block)` for the blocks that are in use, by thread and address.
  template <class Visit>
  static void for_each_live(Visit&& visit) {
    for (int thread = 0; thread < slices_in_use_; ++thread)
      for (std::uint32_t i = 0; i < slices_[thread].count; ++i)
        if (state(slices_[thread].blocks[i]) != State::kFreed) visit(find(slices_[thread].blocks[i]));
  }
  /// The next execution begins.
  static void reset();
  /// For a milestone (milestone.h).
  struct Image {
    struct Slice {
      std::uintptr_t next = 0;
      std::uint32_t count = 0;
    };
    std::vector<Slice> slices;
    std::vector<unsigned char> memory;  // what they hold, each followed by its states
    std::uint32_t freed = 0;
  };
  static std::size_t used_memory();
  static void keep(Image& image);
  static void go_back(const Image& image);
  /// Calls `visit(data, size)` for what was handed out.
  template <class Visit>
  static void for_each_used(Visit&& visit) {
    for (int thread = 0; thread < slices_in_use_; ++thread) {
      const std::uintptr_t base = kHeapBase + kHeapStride * static_cast<std::size_t>(thread);
      if (slices_[thread].count > 0) visit(reinterpret_cast<const void*>(base), slices_[thread].next - base);
    }
  }

 private:
  friend class TestHeap;
  static constexpr std::size_t kGrain = 16;
  struct Header {  // just below a block
    std::uint64_t size;
    std::uint32_t allocated;
    std::uint16_t thread;
    std::uint8_t flags;
    std::uint8_t by_and_alignment;  // Origin: the lowest two bits, and the others
    base::ClockEntry clock;
    std::uint32_t site;
  };
  struct Slice {
    std::uintptr_t next = 0;         // first address not handed out
    std::uintptr_t* blocks = nullptr;  // their addresses, growing
    std::uint32_t count = 0;
    std::uint32_t capacity = 0;
  };
  static bool open(Slice& slice, int thread);
  static bool map_states();
  static std::uintptr_t base_of(int thread) { return kHeapBase + kHeapStride * static_cast<std::size_t>(thread); }
  static Header* header_of(std::uintptr_t block) { return reinterpret_cast<Header*>(block) - 1; }
  static void set_state(std::uintptr_t address, std::size_t size, State state) {
    State* first = states_ + (address - kHeapBase) / kGrain;
    const std::size_t count = (size + kGrain - 1) / kGrain;
    if (count > kFew) return set_many_states(first, count, state);
    for (std::size_t i = 0; i < count; ++i) {
      first[i] = state;
      asm("" : : : "memory");  // few: no call of memset
    }
  }
  static constexpr std::size_t kFew = 4;
  static void set_many_states(State* first, std::size_t count, State state);

  static Slice slices_[kMaxThreads];
  static int slices_in_use_;  // only the first so many
  static State* states_;
};

}  // namespace ordeal::runtime
