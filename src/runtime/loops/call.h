// An operation as the program asks for it: what the call says, beyond the configuration that the thread is in.
#pragma once

#include <cstdint>

#include "model/event.h"

namespace ordeal::runtime {

struct Call {
  enum class Kind : std::uint8_t {
    kLoad,
    kStore,
    kRmw,
    kCompareExchange,
    kFence,
    kSync,  // on a mutex and the like: of no interest but for its place and its object
    kEnd,   // the thread's routine has returned; the operand is what it returned
  };
  /// What a call hands back.
  enum class Returns : std::uint8_t {
    kValue,    // what it read
    kSuccess,  // whether it succeeded, and in *expected_at what it read, if not
  };

  std::uintptr_t site = 0;
  std::uintptr_t address = 0;
  std::uintptr_t expected_at = 0;  // of a compare-exchange with Returns::kSuccess
  std::uint64_t operand = 0, expected = 0;
  Kind kind = Kind::kSync;
  Returns returns = Returns::kValue;
  std::uint8_t size = 0;  // in bytes
  bool is_weak = false;
  model::RmwFunction function = model::RmwFunction::kExchange;
  model::MemoryOrder order = model::MemoryOrder::kSeqCst, failure_order = model::MemoryOrder::kSeqCst;

  bool operator==(const Call&) const = default;
};

/// What it gave, as far as the thread can tell.
struct Outcome {
  std::uint64_t value = 0;  // read
  bool succeeded = true;    // of a compare-exchange
};

/// Whether both ask for the same, perhaps from different places of the code.
inline bool is_same_operation(const Call& one, const Call& other) {
  Call there = other;
  if (one.kind != Call::Kind::kSync) there.site = one.site;
  return one == there;
}
/// Whether the operation only reads, if that is what it gives.
inline bool is_read_only(const Call& call, const Outcome& outcome) {
  return call.kind == Call::Kind::kLoad || (call.kind == Call::Kind::kCompareExchange && !outcome.succeeded);
}
/// The order in force then. REQUIRES: it only reads.
inline model::MemoryOrder order_of_read(const Call& call) { return call.kind == Call::Kind::kLoad ? call.order : call.failure_order; }

}  // namespace ordeal::runtime
