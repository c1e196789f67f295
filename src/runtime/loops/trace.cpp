#include "runtime/loops/trace.h"

#include <cstring>

#include "runtime/loops/configuration.h"

namespace ordeal::runtime {

void forget(LoopTrace& trace) {
  trace.steps_effects = trace.effects;
  trace.writes.clear();
  trace.count = 0;
  trace.skipped = 0;
  trace.distance = 1;
  trace.looked_at_count = 0;
  trace.collects = false;
}

void note_plain_write(Thread& thread, std::uintptr_t address, std::size_t size) {
  settle_plain_write(thread);
  if (size > MemoryPiece::kMostBytes || !is_sure_to_be_there(thread, address)) return note_effect(thread);
  thread.spin.last_write = MemoryPiece::of(address, size);
}

void look_at_plain_write(Thread& thread) {
  constexpr std::size_t kMostWrites = 64;
  LoopTrace& trace = thread.spin;
  if (std::memcmp(reinterpret_cast<const void*>(trace.last_write.address), trace.last_write.bytes, trace.last_write.size) != 0) {
    if (trace.steps_effects != trace.effects) forget(trace);
    if (trace.writes.size() < kMostWrites) trace.writes.push_back(trace.last_write);
    else ++trace.effects;
  }
  trace.last_write.size = 0;
}

}  // namespace ordeal::runtime
