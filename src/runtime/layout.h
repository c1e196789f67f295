// Where the memory of the tested program lies. Addresses are functions of (thread, n-th allocation of that thread) only,
// in every execution and every run, so that nothing depends on the interleaving.
#pragma once

#include <cstddef>
#include <cstdint>

namespace ordeal::runtime {

constexpr int kMaxThreads = 1024;
constexpr int kMaxCheckedThreads = 256;  // of the exhaustive search

constexpr std::uintptr_t kHeapBase = 0x110000000000;                // thread t: kHeapBase + t · kHeapStride
constexpr std::size_t kHeapStride = std::size_t{1} << 32;
constexpr std::uintptr_t kHeapEnd = kHeapBase + kHeapStride * kMaxThreads;

constexpr std::uintptr_t kHeapStates = 0x180000000000;  // heap.h; valgrind maps so much only where it is told to

constexpr std::uintptr_t kStackBase = 0x200000000000;               // thread t: the stack grows down from the end of its slice
constexpr std::size_t kStackStride = std::size_t{1} << 28;           // so far apart that a large array does not reach the next
constexpr std::size_t kStackSize = std::size_t{8} << 20;            // as the system's default; below it nothing is mapped
constexpr std::uintptr_t kStackEnd = kStackBase + kStackStride * kMaxThreads;

constexpr bool is_heap(std::uintptr_t address) { return address - kHeapBase < kHeapEnd - kHeapBase; }
constexpr std::uintptr_t stack_end(int thread) { return kStackBase + kStackStride * (static_cast<std::size_t>(thread) + 1); }
constexpr bool is_stack(std::uintptr_t address) { return address - kStackBase < kStackEnd - kStackBase; }

}  // namespace ordeal::runtime
