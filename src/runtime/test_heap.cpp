#include "runtime/test_heap.h"

#include <sys/mman.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>
#include <vector>

#include "runtime/race_shadow.h"

namespace ordeal::runtime {

/// Just below a block, or further below if that is aligned.
struct TestHeap::Slot {
  std::uint64_t size : 40;        // of the block; of a free slot the first 8 bytes are the next one
  std::uint64_t thread : 12, freed_by : 12;
  std::uint32_t offset;           // from behind the header to the block
  std::uint32_t site, tick;       // where the thread got it, and when; 0: it was alone
  std::uint32_t allocated, freed; // stacks, while recording
  std::uint8_t flags;
  std::uint8_t by_and_alignment;  // Origin: the lowest two bits, and the others
  std::uint16_t unused;
  std::uintptr_t block() const { return reinterpret_cast<std::uintptr_t>(this + 1) + offset; }
};

namespace {

constexpr std::size_t kHeader = 32, kGrain = 16, kChunkBits = 16, kChunk = std::size_t{1} << kChunkBits;
constexpr std::size_t kMapped = std::size_t{1} << 30;  // mapped at once
constexpr std::size_t kLargestSmall = 16384;           // larger blocks have chunks of their own
constexpr std::size_t kPlain = 128;                    // up to this, classes are multiples of 16; then four for each power of two
constexpr std::size_t kClasses = kPlain / kGrain + 4 * 7 + 1;
constexpr std::size_t kMost = std::size_t{1} << 38;
constexpr std::size_t kNoted = 1024;                   // so much of a block that is given out counts as written
constexpr std::uint32_t kNoBlock = ~std::uint32_t{0};   // as an offset: the slot is free
constexpr unsigned kNobody = 0xFFF;                     // as a thread
constexpr unsigned char kPattern = 0xCD;
constexpr std::uint8_t kCleared = 1, kIsFreed = 2, kHasSyncObjects = 4;

// The queue of freed blocks.
constexpr std::size_t kMostWaiting = 2048, kMostBytesWaiting = std::size_t{32} << 20;
std::uintptr_t queue[kMostWaiting];
std::size_t queue_first = 0, queue_count = 0, queue_bytes = 0;

/// What the chunk of an address is.
struct Chunk {
  std::uint32_t stride;  // of its slots; 0: part of a large block
  std::uint32_t first;   // of slots: their class; of a large block: its first chunk
  std::uint64_t inverse; // of the stride, times 2^32, rounded up: to divide what is below 2^16 exactly
};
Chunk* chunks = nullptr;
std::uint32_t chunk_count = 0;       // used in this execution
std::uintptr_t mapped_until = kHeapBase;
struct Large {
  std::uint32_t first, count;
};
std::vector<Large> free_large;
std::vector<Large> used_large;       // or waiting in the queue
std::vector<std::uintptr_t> started; // chunks of small slots

std::size_t class_of(std::size_t size) {
  if (size <= kPlain) return size == 0 ? 0 : (size - 1) / kGrain;
  const auto power = static_cast<std::size_t>(std::bit_width(size - 1)) - 1;  // 2^power < size <= 2^(power + 1)
  return kPlain / kGrain + 4 * (power - 7) + ((size - 1) >> (power - 2)) - 4;
}
std::size_t size_of(std::size_t size_class) {
  if (size_class < kPlain / kGrain) return (size_class + 1) * kGrain;
  const std::size_t above = size_class - kPlain / kGrain;
  return (above % 4 + 5) << (above / 4 + 5);
}

void* map(std::uintptr_t address, std::size_t size) {
  const int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | (address != 0 ? MAP_FIXED_NOREPLACE : 0);
  void* memory = mmap(reinterpret_cast<void*>(address), size, PROT_READ | PROT_WRITE, flags, -1, 0);
  return memory == MAP_FAILED ? nullptr : memory;
}

}  // namespace

namespace {

TestHeap::Forget forget_sync_objects = nullptr;
struct Class {
  std::uintptr_t chunk = 0, next = 0, free = 0;  // `next`: the first slot of the chunk that was never used; `free`: the first of a list
};
Class classes[kClasses];

std::uint32_t chunk_at(std::uintptr_t address) { return static_cast<std::uint32_t>((address - kHeapBase) >> kChunkBits); }
std::uintptr_t address_of(std::uint32_t chunk) { return kHeapBase + (std::uintptr_t{chunk} << kChunkBits); }

bool map_until(std::uintptr_t end) {
  if (chunks == nullptr) chunks = static_cast<Chunk*>(map(0, sizeof(Chunk) * ((kHeapEnd - kHeapBase) >> kChunkBits)));
  if (chunks == nullptr || end > kHeapEnd) return false;
  for (; mapped_until < end; mapped_until += kMapped)
    if (map(mapped_until, kMapped) == nullptr) return false;
  return true;
}

/// 0: there are none.
std::uintptr_t take_new_chunks(std::size_t count) {
  const std::uintptr_t begin = address_of(chunk_count);
  if (!map_until(begin + count * kChunk)) return 0;
  chunk_count += static_cast<std::uint32_t>(count);
  return begin;
}

/// The smallest that will do; what is left of it stays free.
std::uintptr_t take_large(std::size_t count) {
  auto best = free_large.end();
  for (auto it = free_large.begin(); it != free_large.end(); ++it)
    if (it->count >= count && (best == free_large.end() || it->count < best->count)) best = it;
  std::uintptr_t begin = 0;
  if (best != free_large.end()) {
    begin = address_of(best->first);
    best->first += static_cast<std::uint32_t>(count);
    best->count -= static_cast<std::uint32_t>(count);
    if (best->count == 0) free_large.erase(best);
  } else {
    begin = take_new_chunks(count);
    if (begin == 0) return 0;
  }
  const std::uint32_t first = chunk_at(begin);
  for (std::size_t i = 0; i < count; ++i) chunks[first + i] = {0, first, 0};
  used_large.push_back({first, static_cast<std::uint32_t>(count)});
  return begin;
}

std::uintptr_t take_small(std::size_t size_class) {
  Class& from = classes[size_class];
  if (from.free != 0) {
    const std::uintptr_t slot = from.free;
    from.free = *reinterpret_cast<const std::uintptr_t*>(slot);
    return slot;
  }
  const std::size_t stride = size_of(size_class) + kHeader;
  if (from.chunk == 0 || from.next + stride > from.chunk + kChunk) {
    const std::uintptr_t begin = take_new_chunks(1);
    if (begin == 0) return 0;
    chunks[chunk_at(begin)] = {static_cast<std::uint32_t>(stride), static_cast<std::uint32_t>(size_class), (std::uint64_t{1} << 32) / stride + 1};
    started.push_back(begin);
    from.chunk = from.next = begin;
  }
  const std::uintptr_t slot = from.next;
  from.next += stride;
  return slot;
}

std::size_t large_bytes(std::size_t size) { return (size + kHeader + kGrain + kChunk - 1) / kChunk * kChunk; }  // with room behind it

void give_back_large(const Large& large) {
  madvise(reinterpret_cast<void*>(address_of(large.first)), std::size_t{large.count} * kChunk, MADV_DONTNEED);
}

}  // namespace

std::uint64_t TestHeap::blocks_given_out_ = 0;

void TestHeap::set_forget(Forget forget) { forget_sync_objects = forget; }

TestHeap::Slot* TestHeap::slot_of(std::uintptr_t address) {
  const std::uint32_t number = chunk_at(address);
  if (number >= chunk_count) return nullptr;
  const Chunk& chunk = chunks[number];
  if (chunk.stride == 0) return reinterpret_cast<Slot*>(address_of(chunk.first));
  const std::uintptr_t begin = address_of(number), slot = begin + ((address - begin) * chunk.inverse >> 32) * chunk.stride;
  const Class& of = classes[chunk.first];
  if (of.chunk == begin && slot >= of.next) return nullptr;
  return slot + chunk.stride <= begin + kChunk ? reinterpret_cast<Slot*>(slot) : nullptr;
}

void* TestHeap::allocate(int thread, std::size_t size, std::size_t alignment, bool clear, std::uint32_t stack, Origin origin) {
  static_assert(sizeof(Slot) == kHeader && kMost < std::size_t{1} << 40);
  const std::size_t extra = alignment > kGrain ? alignment : 0;
  if (size > kMost || extra > kMost || (ProgramHeap::states_ == nullptr && !ProgramHeap::map_states())) return nullptr;
  const bool is_large = size + extra > kLargestSmall;
  const std::uintptr_t at = is_large ? take_large(large_bytes(size + extra) / kChunk) : take_small(class_of(size + extra));
  if (at == 0) return nullptr;
  ++blocks_given_out_;
  std::uintptr_t block = at + kHeader;
  if (extra != 0) block = (block + alignment - 1) / alignment * alignment;
  const auto by_and_alignment = static_cast<std::uint8_t>(static_cast<unsigned>(origin.by) | static_cast<unsigned>(origin.alignment) << 2);
  *reinterpret_cast<Slot*>(at) = {size, static_cast<unsigned>(thread) & kNobody, kNobody, static_cast<std::uint32_t>(block - at - kHeader), origin.site, RaceShadow::is_watching ? RaceShadow::tick() : 0,
                                  stack, 0, clear || is_large ? kCleared : std::uint8_t{0}, by_and_alignment, 0};
  ProgramHeap::set_state(at, block - at, ProgramHeap::State::kBetween);
  ProgramHeap::set_state(block, std::max<std::size_t>(size, 1), size > 0 ? ProgramHeap::State::kLive : ProgramHeap::State::kEmpty);
  if (size % kGrain != 0) ProgramHeap::set_state(block + size / kGrain * kGrain, 1, static_cast<ProgramHeap::State>(static_cast<std::size_t>(ProgramHeap::State::kLive) + size % kGrain));
  const std::uintptr_t rest = (block + std::max<std::size_t>(size, 1) + kGrain - 1) / kGrain * kGrain;
  const std::uintptr_t end = is_large ? rest + kGrain : at + kHeader + size_of(class_of(size + extra));
  if (rest < end) ProgramHeap::set_state(rest, end - rest, ProgramHeap::State::kBetween);
  if (RaceShadow::is_watching) {
    if (is_large) RaceShadow::forget_pages(at, large_bytes(size + extra));
    RaceShadow::give_out(block, is_large ? std::min(size, kNoted) : size, kNoted);
  }
  if (!is_large) std::memset(reinterpret_cast<void*>(block), clear ? 0 : kPattern, size);
  return reinterpret_cast<void*>(block);
}

ProgramHeap::FreeResult TestHeap::release(std::uintptr_t block, int thread, std::uint32_t stack) {
  Slot* slot = is_heap(block) ? slot_of(block) : nullptr;
  if (slot == nullptr) return ProgramHeap::FreeResult::kNotABlock;
  if (slot->offset == kNoBlock && block == reinterpret_cast<std::uintptr_t>(slot + 1)) return ProgramHeap::FreeResult::kTwice;
  if (slot->block() != block) return ProgramHeap::FreeResult::kNotABlock;
  if ((slot->flags & kIsFreed) != 0) return ProgramHeap::FreeResult::kTwice;
  slot->flags |= kIsFreed;
  slot->freed = stack;
  slot->freed_by = static_cast<unsigned>(thread) & kNobody;
  ProgramHeap::set_state(block, std::max<std::size_t>(slot->size, 1), ProgramHeap::State::kFreed);
  if ((slot->flags & kHasSyncObjects) != 0) forget_sync_objects(block, slot->size);
  put_into_queue(slot);
  return ProgramHeap::FreeResult::kDone;
}

void TestHeap::put_into_queue(Slot* slot) {
  const std::uint64_t size = slot->size;
  while (queue_count == kMostWaiting || (queue_count > 0 && queue_bytes + size > kMostBytesWaiting)) leave_queue();
  queue[(queue_first + queue_count++) % kMostWaiting] = reinterpret_cast<std::uintptr_t>(slot);
  queue_bytes += size;
}

void TestHeap::leave_queue() {
  const std::uintptr_t at = queue[queue_first];
  queue_first = (queue_first + 1) % kMostWaiting;
  --queue_count;
  auto* slot = reinterpret_cast<Slot*>(at);
  queue_bytes -= slot->size;
  const Chunk& chunk = chunks[chunk_at(at)];
  if (chunk.stride != 0) {
    slot->offset = kNoBlock;
    *reinterpret_cast<std::uintptr_t*>(at) = std::exchange(classes[chunk.first].free, at);
    return;
  }
  const auto used = std::find_if(used_large.begin(), used_large.end(), [&](const Large& large) { return large.first == chunk.first; });
  give_back_large(*used);
  slot->offset = kNoBlock;
  free_large.push_back(*used);
  *used = used_large.back();
  used_large.pop_back();
}

Block TestHeap::find(std::uintptr_t address) {
  const Slot* slot = is_heap(address) ? slot_of(address) : nullptr;
  if (slot == nullptr || slot->offset == kNoBlock) return {};
  const std::uintptr_t block = slot->block();
  if (address < block || address >= block + std::max<std::size_t>(slot->size, 1)) return {};
  return {block, slot->size, static_cast<int>(slot->thread), 0, slot->allocated, slot->freed, slot->freed_by == kNobody ? -1 : static_cast<int>(slot->freed_by),
          {static_cast<AllocatedBy>(slot->by_and_alignment & 3), static_cast<std::uint8_t>(slot->by_and_alignment >> 2), slot->site}};
}

std::uint32_t TestHeap::where_given_out(std::uintptr_t address, int thread, sample::Tick tick) {
  const Slot* slot = is_heap(address) ? slot_of(address) : nullptr;
  if (slot == nullptr || slot->offset == kNoBlock || tick == 0) return 0;
  return static_cast<int>(slot->thread) == thread && slot->tick == tick ? slot->site : 0;
}

bool TestHeap::is_untouched(std::uintptr_t address, std::size_t size) {
  const Slot* slot = slot_of(address);
  if (slot == nullptr || (slot->flags & kCleared) != 0) return false;
  const auto* bytes = reinterpret_cast<const unsigned char*>(address);
  return std::all_of(bytes, bytes + size, [](unsigned char byte) { return byte == kPattern; });
}

void TestHeap::note_sync_object(std::uintptr_t address) {
  if (Slot* slot = slot_of(address); slot != nullptr) slot->flags |= kHasSyncObjects;
}

/// What was never used in an execution is as at first: large blocks must be, small ones are filled when they are given out.
void TestHeap::reset() {
  if (chunk_count == 0) return;
  for (const std::uintptr_t begin : started) {
    const Class& of = classes[chunks[chunk_at(begin)].first];
    ProgramHeap::set_state(begin, of.chunk == begin ? of.next - begin : kChunk, ProgramHeap::State::kUnused);
  }
  const auto unuse = [](const Large& large) { ProgramHeap::set_state(address_of(large.first), std::size_t{large.count} * kChunk, ProgramHeap::State::kUnused); };
  for (const Large& large : used_large) {
    unuse(large);
    give_back_large(large);
  }
  for (const Large& large : free_large) {
    unuse(large);
    give_back_large(large);  // the header
  }
  constexpr std::uint32_t kKept = (16 << 20) / kChunk;
  if (chunk_count > kKept) madvise(reinterpret_cast<void*>(address_of(kKept)), std::size_t{chunk_count - kKept} * kChunk, MADV_DONTNEED);
  started.clear();
  used_large.clear();
  free_large.clear();
  std::fill(std::begin(classes), std::end(classes), Class{});
  queue_first = queue_count = queue_bytes = 0;
  chunk_count = 0;
}

}  // namespace ordeal::runtime
