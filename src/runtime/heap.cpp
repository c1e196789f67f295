#include "runtime/heap.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstring>

#include "runtime/host.h"
#include "runtime/test_heap.h"
#include "runtime/thread.h"

namespace ordeal::runtime {

ProgramHeap::Slice ProgramHeap::slices_[kMaxThreads];
int ProgramHeap::slices_in_use_ = 0;
ProgramHeap::State* ProgramHeap::states_ = nullptr;

namespace {

constexpr unsigned char kPattern = 0xCD;
constexpr std::uint8_t kCleared = 1, kIsFreed = 2;
// Of freed blocks: who and where.
struct Freed {
  std::uintptr_t block;
  std::uint32_t stack;
  int thread;
};
Freed* freed = nullptr;
std::uint32_t freed_count = 0, freed_capacity = 0;

void* map(std::uintptr_t address, std::size_t size) {
  const int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE;
  void* memory = mmap(reinterpret_cast<void*>(address), size, PROT_READ | PROT_WRITE, flags, -1, 0);
  return memory == MAP_FAILED ? nullptr : memory;
}

}  // namespace

bool ProgramHeap::map_states() {
  if (states_ == nullptr) states_ = static_cast<State*>(map(kHeapStates, (kHeapEnd - kHeapBase) / kGrain));
  return states_ != nullptr;
}

bool ProgramHeap::open(Slice& slice, int thread) {
  const std::uintptr_t base = base_of(thread);
  if (!map_states() || map(base, kHeapStride) == nullptr) return false;
  slice.next = base + kGrain;
  slices_in_use_ = std::max(slices_in_use_, thread + 1);
  return true;
}

void ProgramHeap::set_many_states(State* first, std::size_t count, State state) { std::memset(first, static_cast<int>(state), count); }

void* ProgramHeap::allocate(int thread, base::ClockEntry clock, std::size_t size, std::size_t alignment, bool clear, std::uint32_t stack, Origin origin) {
  if (is_testing) return TestHeap::allocate(thread, size, alignment, clear, stack, origin);
  Slice& slice = slices_[thread];
  if (slice.next == 0 && !open(slice, thread)) return nullptr;
  alignment = std::max(alignment, kGrain);
  const std::uintptr_t end = kHeapBase + kHeapStride * static_cast<std::size_t>(thread) + kMostMemory;
  const std::uintptr_t block = (slice.next + sizeof(Header) + alignment - 1) / alignment * alignment;
  if (size > kHeapStride || block + size + 2 * kGrain > end) return nullptr;
  host_make_room(slice.blocks, slice.count, slice.capacity, 64);
  slice.blocks[slice.count++] = block;
  const auto by_and_alignment = static_cast<std::uint8_t>(static_cast<unsigned>(origin.by) | static_cast<unsigned>(origin.alignment) << 2);
  *header_of(block) = {size, stack, static_cast<std::uint16_t>(thread), clear ? kCleared : std::uint8_t{0}, by_and_alignment, clock, origin.site};
  const std::uintptr_t block_end = block + std::max<std::size_t>(size, 1);
  set_state(slice.next, block - slice.next, State::kBetween);
  set_state(block, block_end - block, size > 0 ? State::kLive : State::kEmpty);
  if (size % kGrain != 0) set_state(block + size / kGrain * kGrain, 1, static_cast<State>(static_cast<std::size_t>(State::kLive) + size % kGrain));
  slice.next = (block_end + kGrain - 1) / kGrain * kGrain;
  set_state(slice.next, kGrain, State::kBetween);
  slice.next += kGrain;
  std::memset(reinterpret_cast<void*>(block), clear ? 0 : kPattern, size);
  return reinterpret_cast<void*>(block);
}

ProgramHeap::FreeResult ProgramHeap::release(void* block, const Block& found, int thread, std::uint32_t stack) {
  const auto address = reinterpret_cast<std::uintptr_t>(block);
  if (is_testing) return TestHeap::release(address, thread, stack);
  if (found.address != address || address == 0) return FreeResult::kNotABlock;
  Header* header = header_of(address);
  if ((header->flags & kIsFreed) != 0) return FreeResult::kTwice;
  header->flags |= kIsFreed;
  host_make_room(freed, freed_count, freed_capacity, 64);
  freed[freed_count++] = {address, stack, thread};
  set_state(address, std::max<std::size_t>(header->size, 1), State::kFreed);
  return FreeResult::kDone;
}

Block ProgramHeap::find(std::uintptr_t address) {
  if (is_testing) return TestHeap::find(address);
  if (!is_heap(address)) return {};
  const Slice& slice = slices_[owner(address)];
  // Without branches: which block it is cannot be foreseen.
  const std::uintptr_t* after = slice.blocks;
  for (std::size_t count = slice.count; count > 0;) {
    const std::size_t half = (count + 1) / 2;
    after += after[half - 1] <= address ? half : 0;
    count -= half;
  }
  if (after == slice.blocks) return {};
  const std::uintptr_t block = after[-1];
  const Header* header = header_of(block);
  if (address >= block + std::max<std::size_t>(header->size, 1)) return {};
  Block found{block, header->size, header->thread, header->clock, header->allocated, 0, -1,
              {static_cast<AllocatedBy>(header->by_and_alignment & 3), static_cast<std::uint8_t>(header->by_and_alignment >> 2), header->site}};
  for (std::uint32_t i = 0; (header->flags & kIsFreed) != 0 && i < freed_count; ++i)
    if (freed[i].block == block) {
      found.freed = freed[i].stack;
      found.freed_by = freed[i].thread;
    }
  return found;
}

bool ProgramHeap::is_untouched(std::uintptr_t address, std::size_t size) {
  if (is_testing) return TestHeap::is_untouched(address, size);
  const Block block = find(address);
  if (block.address != 0 && (header_of(block.address)->flags & kCleared) != 0) return false;
  const auto* bytes = reinterpret_cast<const unsigned char*>(address);
  return std::all_of(bytes, bytes + size, [](unsigned char byte) { return byte == kPattern; });
}

std::size_t ProgramHeap::used_memory() {
  std::size_t used = 0;
  for_each_used([&](const void*, std::size_t size) { used += size; });
  return used;
}

void ProgramHeap::keep(Image& image) {
  image.freed = freed_count;
  image.slices.clear();
  image.memory.clear();
  for (int thread = 0; thread < slices_in_use_; ++thread) {
    const Slice& slice = slices_[thread];
    const std::uintptr_t base = base_of(thread);
    image.slices.push_back({slice.count > 0 ? slice.next : base + kGrain, slice.count});
    if (slice.count == 0) continue;
    const auto* memory = reinterpret_cast<const unsigned char*>(base);
    const auto* states = reinterpret_cast<const unsigned char*>(states_ + (base - kHeapBase) / kGrain);
    image.memory.insert(image.memory.end(), memory, memory + (slice.next - base));
    image.memory.insert(image.memory.end(), states, states + (slice.next - base) / kGrain);
  }
}

/// The lists of blocks only grow in an execution: their beginnings are as they were.
void ProgramHeap::go_back(const Image& image) {
  freed_count = image.freed;
  const unsigned char* memory = image.memory.data();
  for (int thread = 0; thread < slices_in_use_; ++thread) {
    Slice& slice = slices_[thread];
    if (slice.count == 0) continue;
    const std::uintptr_t base = base_of(thread);
    const bool is_kept = static_cast<std::size_t>(thread) < image.slices.size();
    const Image::Slice kept = is_kept ? image.slices[static_cast<std::size_t>(thread)] : Image::Slice{base + kGrain, 0};
    if (slice.next > kept.next) set_state(kept.next, slice.next - kept.next, State::kUnused);
    slice.next = kept.next;
    slice.count = kept.count;
    if (kept.count == 0) continue;
    const std::size_t size = kept.next - base;
    std::memcpy(reinterpret_cast<void*>(base), memory, size);
    std::memcpy(states_ + (base - kHeapBase) / kGrain, memory + size, size / kGrain);
    memory += size + size / kGrain;
  }
}

void ProgramHeap::reset() {
  if (is_testing) return TestHeap::reset();
  freed_count = 0;
  for (int thread = 0; thread < slices_in_use_; ++thread) {
    Slice& slice = slices_[thread];
    if (slice.count == 0) continue;
    const std::uintptr_t base = base_of(thread);
    set_state(base, slice.next - base, State::kUnused);
    slice.next = base + kGrain;
    slice.count = 0;
  }
}

}  // namespace ordeal::runtime
