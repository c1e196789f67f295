// A turn of a loop that was explored, and which condition kept it: why it was not left out (runtime/loops/README.md).
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "trace/trace.h"

namespace ordeal::trace {

enum class KeptBy : std::uint8_t {
  // What the turn has done, that others may see.
  kStore,
  kReadModifyWrite,
  kCompareExchange,  // it succeeded
  kWritesShown,      // plain ones, once something releases them
  kAllocation,
  kFree,
  kLargeWrite,  // plain, of more than is kept track of
  kWakeUp,      // of others
  kWoken,       // it waited, and was woken
  kInputOutput,
  kSystem,  // changes what the system or the runtime keeps
  // Two reads of which the earlier one could take the place of the later one, but for their orders.
  kAcquire,
  kSeqCst,
  kBarrier,
  // It is not known what the code does.
  kHiddenCode,
  kUnknownCode,
  // The turn is made on purpose.
  kRace,
  kLock,
  // Where it ends, the thread is not where it was.
  kSpuriousFailure,
  kHeldLock,
  kClock,
  kPlainWrite,
  kOwnState,
  kLoadBuffering,  // the rules that could leave it out are not used
};

enum class KeptOperation : std::uint8_t { kLoad, kReadModifyWrite, kCompareExchange, kCall };

struct KeptTurn {
  KeptOperation operation = KeptOperation::kLoad;  // that the thread came to again; or the later of two reads
  KeptBy by = KeptBy::kStore;
  std::uint64_t times = 0;            // the search came by
  std::vector<CodeAddress> stack;     // of the operation, innermost first
  KeptOperation because_operation = KeptOperation::kLoad;  // the earlier of two reads, otherwise of no interest
  std::vector<CodeAddress> because;   // of what kept the turn; empty: it has no place
  bool operator==(const KeptTurn&) const = default;
};

/// "compare-exchange", "acquire": as in the file and in JSON.
std::string_view word(KeptOperation operation);
std::string_view word(KeptBy by);

}  // namespace ordeal::trace
