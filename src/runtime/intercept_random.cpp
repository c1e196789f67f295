// Random numbers: the same in each execution, and each thread has its own, so that no interleaving shows. rand gives what libc's
// gives to a program with one thread. A new thread goes on from where its creator was.
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "runtime/abi.h"
#include "runtime/access.h"
#include "runtime/loops/trace.h"
#include "runtime/stand_ins.h"

namespace ordeal::runtime {
namespace {

constexpr int kWarmUp = 310;
RandomState outside;  // for calls that are not the program's

RandomState& state() { return is_checked() ? NativeProgram::current->random : outside; }

/// x[i] = x[i-3] + x[i-31], as in libc.
std::uint32_t next(RandomState& state) {
  state.at = (state.at + 1) % 31;
  state.words[state.at] += state.words[(state.at + 28) % 31];
  return state.words[state.at] >> 1;
}

void seed(RandomState& state, unsigned value) {
  if (is_checked()) note_effect(*NativeProgram::current);
  state.is_seeded = true;
  std::int64_t word = static_cast<std::int32_t>(value == 0 ? 1 : value);
  for (std::uint32_t& slot : state.words) {
    slot = static_cast<std::uint32_t>(word);
    word = 16807 * word % 2147483647;
    if (word < 0) word += 2147483647;
  }
  state.at = 2;
  for (int i = 0; i < kWarmUp; ++i) next(state);
}

std::uint32_t random_number() {
  if (is_checked()) {
    note_effect(*NativeProgram::current);
    StandIns::gave_random_numbers = true;
  }
  RandomState& own = state();
  if (!own.is_seeded) seed(own, 1);
  return next(own);
}

void fill(void* buffer, std::size_t size) {
  for (std::size_t i = 0; i < size; ++i) static_cast<unsigned char*>(buffer)[i] = static_cast<unsigned char>(random_number() >> 8);
}

}  // namespace
}  // namespace ordeal::runtime

using namespace ordeal::runtime;

ORDEAL_ABI int rand() { return static_cast<int>(random_number()); }
ORDEAL_ABI void srand(unsigned value) { seed(state(), value); }
ORDEAL_ABI long random() { return random_number(); }
ORDEAL_ABI void srandom(unsigned value) { seed(state(), value); }

// What is random in earnest must be the same each time too.
ORDEAL_ABI long checked_getrandom(void* buffer, std::size_t size, unsigned) __asm__("getrandom");
ORDEAL_ABI long checked_getrandom(void* buffer, std::size_t size, unsigned) {
  fill(buffer, size);
  return static_cast<long>(size);
}
ORDEAL_ABI int checked_getentropy(void* buffer, std::size_t size) __asm__("getentropy");
ORDEAL_ABI int checked_getentropy(void* buffer, std::size_t size) {
  fill(buffer, size);
  return 0;
}
ORDEAL_ABI std::uint32_t checked_arc4random() __asm__("arc4random");
ORDEAL_ABI std::uint32_t checked_arc4random() { return random_number() << 1 ^ random_number(); }

/// std::random_device (include/ordeal/inside/bits/random.h).
ORDEAL_ABI unsigned random_device_value(void*) __asm__("_ZNSt13random_device19_M_getval_of_ordealEv");
ORDEAL_ABI unsigned random_device_value(void*) { return checked_arc4random(); }
