#include "runtime/scrub.h"

#include <cstddef>

namespace ordeal::runtime {
namespace {

template <std::size_t Bytes>
inline void clear_below() {
  static_assert(Bytes % 256 == 0);
  alignas(16) unsigned char below[Bytes];
  // A memset would be "rep stos", which takes long to start: this is done at every operation.
  unsigned char* at = below;
  asm volatile("pxor %%xmm0, %%xmm0\n"
               "1:\n"
               ".set offset, 0\n"
               ".rept 16\n"
               "movaps %%xmm0, offset(%0)\n"
               ".set offset, offset + 16\n"
               ".endr\n"
               "add $256, %0\n"
               "cmp %1, %0\n"
               "jne 1b"
               : "+r"(at)
               : "r"(below + Bytes)
               : "xmm0", "memory", "cc");
}

}  // namespace

void scrub_stack() { clear_below<768>(); }
void scrub_after_plain_access() { clear_below<512>(); }
void scrub_stack_deep() { clear_below<kDeepScrub>(); }

}  // namespace ordeal::runtime
