/* A strategy for `ordeal test`: threads take turns of a random length; a load reads a store that is not the newest once in four times.
 *
 *   cc -O2 -shared -fPIC -I../../include round_robin.c -o round_robin.so
 *   ordeal test --strategy ./round_robin.so ../check/message_bug.cpp
 *
 * All randomness comes from (seed, execution): splitmix64, whose state is the counter. */
#include <ordeal/strategy.h>

static uint64_t state;
static int left; /* steps of the turn */

static uint64_t draw(void) {
  uint64_t z = (state += 0x9E3779B97F4A7C15u);
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return z ^ (z >> 31);
}

static uint32_t below(uint32_t bound) { return (uint32_t)((draw() >> 32) * bound >> 32); }

static void begin(uint64_t seed, uint64_t execution) {
  state = seed;
  state = draw() ^ execution;
  left = 0;
}

/* The next higher number among those that can go on, else the lowest: `ready` is in no particular order. */
static int next_thread(const int* ready, int count, int current, enum ordeal_step step) {
  const int last = current >= 0 ? ready[current] : -1;
  int next = -1, lowest = 0;
  if (current >= 0 && step != ORDEAL_STEP_YIELD && left-- > 0) return current;
  left = (int)below(8);
  for (int i = 0; i < count; ++i) {
    if (ready[i] < ready[lowest]) lowest = i;
    if (ready[i] > last && (next < 0 || ready[i] < ready[next])) next = i;
  }
  return next >= 0 ? next : lowest;
}

static uint32_t which(int thread, uint32_t count) {
  (void)thread;
  return below(4) == 0 ? below(count) : ORDEAL_NEWEST;
}

static uint32_t answer(enum ordeal_question question, uint32_t alternatives) {
  return question == ORDEAL_WHO_WAKES || question == ORDEAL_PROGRAM_CHOOSES ? below(alternatives) : below(8) == 0;
}

const struct ordeal_strategy ordeal_plugin = {ORDEAL_STRATEGY_VERSION, "round-robin", begin, 0, next_thread, which, which, answer};
