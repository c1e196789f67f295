// A small set of threads: those with high numbers count as one.
#pragma once

#include <cstdint>

namespace ordeal::runtime {

using ThreadMask = std::uint8_t;

inline int bit_of_thread(int thread) { return thread < 7 ? thread : 7; }
inline bool is_one_thread(int bit) { return bit < 7; }
inline ThreadMask mask_of(int thread) { return static_cast<ThreadMask>(1U << bit_of_thread(thread)); }
/// Whether there may be another thread in the set.
inline bool has_others(ThreadMask threads, int thread) { return (threads & ~(thread < 7 ? mask_of(thread) : 0)) != 0; }

}  // namespace ordeal::runtime
