// One of the two threads lacks its first fence: both may miss the other's flag, and meet.
#define FIRST_FENCE_OF(thread) \
  if ((thread) == 1) std::atomic_thread_fence(std::memory_order_seq_cst)
#include "../programs/dekker-fences.cpp"
