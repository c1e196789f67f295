#include "runtime/volatile_access.h"

#include "runtime/testing.h"

namespace ordeal::runtime {

using model::MemoryOrder;

bool VolatileAccess::note(const Cell& cell, bool is_write) {
  if (!Testing::begin_volatile(is_write) || meaning == Meaning::kPlain) return false;
  const bool orders = meaning == Meaning::kAcquireRelease;
  if (is_write) Testing::store_volatile(cell, orders ? MemoryOrder::kRelease : MemoryOrder::kRelaxed);
  else Testing::load_volatile(cell, orders ? MemoryOrder::kAcquire : MemoryOrder::kRelaxed);
  return true;
}

}  // namespace ordeal::runtime
