#include "runtime/volatile_access.h"

#include <map>

#include "runtime/testing.h"

namespace ordeal::runtime {

namespace {

/// By address: what those who wrote there knew. A function's own, since it must be there before the first initialiser runs.
std::map<std::uintptr_t, sample::Published>& published() {
  static std::map<std::uintptr_t, sample::Published> instance;
  return instance;
}

}  // namespace

bool VolatileAccess::note(const Cell& cell, bool is_write) {
  if (!Testing::begin_volatile(is_write) || meaning == Meaning::kPlain) return false;
  Testing::note_volatile(cell, is_write);
  if (meaning != Meaning::kAcquireRelease) return true;
  if (is_write) Testing::release_to(published()[cell.address]);
  else if (const auto found = published().find(cell.address); found != published().end()) Testing::acquire_from(found->second);
  return true;
}

void VolatileAccess::reset() {
  for (auto& [address, known] : published()) Testing::let_go(known);
  published().clear();
}

}  // namespace ordeal::runtime
