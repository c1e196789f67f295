// The functions of <stdatomic.h> that a test may call, by name.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "litmus/ast.h"

namespace ordeal::litmus {

/// Which orders an operation may have: [atomics.types.operations].
enum class OrderRule : std::uint8_t {
  kAny,
  kLoad,     // not release, not acq_rel: a load, and what a compare-exchange does when it fails
  kFailure,  // the same, for messages
  kStore,    // not consume, acquire, acq_rel
};

struct AtomicCall {
  enum class Kind : std::uint8_t {
    kLoad,
    kStore,
    kRmw,
    kCompareExchange,
    kInit,
    kThreadFence,
    kSignalFence,
    kFlagTestAndSet,
    kFlagClear,
  };
  std::string_view name;  // without `atomic_` and `_explicit`
  Kind kind = Kind::kLoad;
  RmwOp rmw_op = RmwOp::kExchange;
  bool is_weak = false;

  bool has_value() const;
  bool may_be_explicit() const;
};

struct AtomicCallName {
  std::string full;  // as written
  AtomicCall call;
  bool is_explicit = false;
};

/// The call that `name` names, if it is one of those.
std::optional<AtomicCallName> find_atomic_call(std::string_view name);

/// `relaxed`, `memory_order_relaxed` …
std::optional<Order> find_order(std::string_view name);

/// What of `order` fits an operation under `rule`: `order` itself if that is legal; a store only releases, a load only
/// acquires. So herd's models read such orders: their acquires are reads and fences, their releases writes and fences.
Order fitting_order(OrderRule rule, Order order);

/// What to say where fitting_order changes `order`.
std::string order_note(OrderRule rule, Order order);

/// What to say about a call of `name`, which is not supported.
std::string unsupported_call(std::string_view name);

}  // namespace ordeal::litmus
