// The atomic half of the __tsan_* ABI, for 1, 2, 4, 8 and 16 bytes. Before the program starts, and in the engine, the
// operations are simply done.
#include <cstdint>

#include "runtime/abi.h"
#include "runtime/access.h"
#include "runtime/entry.h"
#include "runtime/loops/rules.h"
#include "runtime/loops/speculation.h"
#include "runtime/testing.h"

std::uint64_t ordeal_entry_registers[8];

namespace ordeal::runtime {
namespace {

template <class T>
Cell cell_of(const volatile T* address, std::uintptr_t site) {
  return {reinterpret_cast<std::uintptr_t>(address), sizeof(T), site};
}
template <class T>
model::Value to_value(T value) {
  if constexpr (sizeof(T) == 16) return NativeProgram::instance->location_table().intern(value);
  else return static_cast<model::Value>(value);
}
template <class T>
T from_value(model::Value value) {
  if constexpr (sizeof(T) == 16) return NativeProgram::instance->location_table().wide(value);
  else return static_cast<T>(value);
}

/// What the program asks for.
template <class T>
Call call_of(Call::Kind kind, const volatile T* address, int order, std::uintptr_t site) {
  Call call;
  call.kind = kind;
  call.site = site;
  call.address = reinterpret_cast<std::uintptr_t>(address);
  call.size = sizeof(T);
  call.order = memory_order_of(order);
  return call;
}
template <class T>
std::uint64_t word_of(T value) {
  return static_cast<std::uint64_t>(to_value(value));
}

template <class T>
T load(const volatile T* address, int order, std::uintptr_t site) {
  const Call call = call_of(Call::Kind::kLoad, address, order, site);
  if (NativeProgram::current == nullptr) [[unlikely]] return Speculation::is_on() ? static_cast<T>(Speculation::arrive(call).value) : *address;
  if (is_testing) return from_value<T>(Testing::load(cell_of(address, site), call.order));
  begin_step(*NativeProgram::current, call);
  return from_value<T>(atomic_load(cell_of(address, site), call.order));
}

template <class T>
Call call_of_store(const volatile T* address, T value, int order, std::uintptr_t site) {
  Call call = call_of(Call::Kind::kStore, address, order, site);
  call.operand = word_of(value);
  return call;
}
template <class T>
void store(volatile T* address, T value, int order, std::uintptr_t site) {
  if (NativeProgram::current == nullptr) [[unlikely]] {
    if (Speculation::is_on()) Speculation::arrive(call_of_store(address, value, order, site));
    *address = value;
    return;
  }
  if (is_testing) Testing::store(cell_of(address, site), to_value(value), memory_order_of(order));
  else {
    begin_write(*NativeProgram::current, [&] { return call_of_store(address, value, order, site); });
    atomic_store(cell_of(address, site), to_value(value), memory_order_of(order));
  }
}

/// `returns`: how the program learns what it read.
template <class T>
Call call_of_compare_exchange(const volatile T* address, T* expected, T desired, int order, int failure_order, bool is_weak, Call::Returns returns, std::uintptr_t site) {
  Call call = call_of(Call::Kind::kCompareExchange, address, order, site);
  call.operand = word_of(desired);
  call.expected = word_of(*expected);
  call.expected_at = returns == Call::Returns::kSuccess ? reinterpret_cast<std::uintptr_t>(expected) : 0;
  call.failure_order = memory_order_of(failure_order);
  call.is_weak = is_weak;
  call.returns = returns;
  return call;
}

template <class T, class MakeCall>
bool compare_exchange_unchecked(volatile T* address, T* expected, T desired, MakeCall&& make_call) {
  if (Speculation::is_on()) {
    const Call call = make_call();
    const Outcome outcome = Speculation::arrive(call);
    if (!outcome.succeeded) {
      if (call.expected_at != 0) Speculation::note_access(call.expected_at, sizeof(T), true, call.site);
      *expected = static_cast<T>(outcome.value);
    }
    return outcome.succeeded;
  }
  const T old = *address;
  if (old == *expected) *address = desired;
  else *expected = old;
  return old == *expected;
}

template <class T>
bool compare_exchange(volatile T* address, T* expected, T desired, int order, int failure_order, bool is_weak, std::uintptr_t site, Call::Returns returns = Call::Returns::kSuccess) {
  const auto call = [&] { return call_of_compare_exchange(address, expected, desired, order, failure_order, is_weak, returns, site); };
  if (NativeProgram::current == nullptr) [[unlikely]] return compare_exchange_unchecked(address, expected, desired, call);
  if (!is_testing) begin_step(*NativeProgram::current, call());
  plain_read(reinterpret_cast<std::uintptr_t>(expected), sizeof(T), site);
  CompareExchange exchange{to_value(*expected), to_value(desired), memory_order_of(order), memory_order_of(failure_order), is_weak};
  const bool succeeded = atomic_compare_exchange(cell_of(address, site), exchange);
  if (!succeeded && *expected != from_value<T>(exchange.expected)) {
    plain_write(reinterpret_cast<std::uintptr_t>(expected), sizeof(T), site);
    *expected = from_value<T>(exchange.expected);
  }
  return succeeded;
}

template <class T>
T compute(model::RmwFunction function, T old, T operand) {
  using enum model::RmwFunction;
  switch (function) {
    case kAdd: return static_cast<T>(old + operand);
    case kSub: return static_cast<T>(old - operand);
    case kOr: return static_cast<T>(old | operand);
    case kAnd: return static_cast<T>(old & operand);
    case kXor: return static_cast<T>(old ^ operand);
    default: return operand;
  }
}

/// A loop with an RMW that changes the value whatever that is does not only wait.
template <class T>
bool may_change_nothing(model::RmwFunction function, T operand) {
  using enum model::RmwFunction;
  return operand == 0 || (function != kAdd && function != kSub && function != kXor);
}

template <class T>
T rmw(volatile T* address, model::RmwFunction function, T operand, int order, std::uintptr_t site) {
  const auto call = [&] {
    Call made = call_of(Call::Kind::kRmw, address, order, site);
    made.operand = word_of(operand);
    made.function = function;
    return made;
  };
  if (NativeProgram::current == nullptr) [[unlikely]] {
    if (Speculation::is_on()) return static_cast<T>(Speculation::arrive(call()).value);
    const T old = *address;
    *address = compute(function, old, operand);
    return old;
  }
  if (is_testing && (sizeof(T) < 16 || function == model::RmwFunction::kExchange))
    return from_value<T>(Testing::rmw(cell_of(address, site), function, to_value(operand), memory_order_of(order)));
  if (may_change_nothing(function, operand) || NativeProgram::instance->given_back().is_watched(reinterpret_cast<std::uintptr_t>(address))) {
    begin_step(*NativeProgram::current, call());
  } else {
    begin_write(*NativeProgram::current, call);
    NativeProgram::current->spin.now = NativeProgram::current->spin.place = -1;
  }
  if (sizeof(T) < 16 || function == model::RmwFunction::kExchange) return from_value<T>(atomic_rmw(cell_of(address, site), function, to_value(operand), memory_order_of(order)));
  // The engine computes with 8 bytes at most.
  T old = load(address, 0, site);
  while (!compare_exchange(address, &old, compute(function, old, operand), order, 0, false, site)) {
  }
  return old;
}

template <class T>
T nand(volatile T* address, T operand, int order, std::uintptr_t site) {
  T old = load(address, 0, site);
  while (!compare_exchange(address, &old, static_cast<T>(~(old & operand)), order, 0, false, site)) {
  }
  return old;
}

}  // namespace
}  // namespace ordeal::runtime

#define ORDEAL_RMW(BITS, TYPE, NAME, FUNCTION)                                                                    \
  ORDEAL_ENTRY(__tsan_atomic##BITS##_##NAME)                                                                      \
  ORDEAL_BEHIND_ENTRY TYPE ordeal___tsan_atomic##BITS##_##NAME(volatile TYPE* address, TYPE operand, int order) {                 \
    return ordeal::runtime::rmw(address, ordeal::model::RmwFunction::FUNCTION, operand, order, ORDEAL_SITE);      \
  }
#define ORDEAL_ATOMICS(BITS, TYPE)                                                                                \
  ORDEAL_ENTRY(__tsan_atomic##BITS##_load) \
  ORDEAL_BEHIND_ENTRY TYPE ordeal___tsan_atomic##BITS##_load(const volatile TYPE* address, int order) {                           \
    return ordeal::runtime::load(address, order, ORDEAL_SITE);                                                    \
  }                                                                                                               \
  ORDEAL_ENTRY(__tsan_atomic##BITS##_store) \
  ORDEAL_BEHIND_ENTRY void ordeal___tsan_atomic##BITS##_store(volatile TYPE* address, TYPE value, int order) {    \
    ordeal::runtime::store(address, value, order, ORDEAL_SITE);                                                   \
  }                                                                                                               \
  ORDEAL_RMW(BITS, TYPE, exchange, kExchange)                                                                     \
  ORDEAL_RMW(BITS, TYPE, fetch_add, kAdd)                                                                         \
  ORDEAL_RMW(BITS, TYPE, fetch_sub, kSub)                                                                         \
  ORDEAL_RMW(BITS, TYPE, fetch_and, kAnd)                                                                         \
  ORDEAL_RMW(BITS, TYPE, fetch_or, kOr)                                                                           \
  ORDEAL_RMW(BITS, TYPE, fetch_xor, kXor)                                                                         \
  ORDEAL_ENTRY(__tsan_atomic##BITS##_fetch_nand) \
  ORDEAL_BEHIND_ENTRY TYPE ordeal___tsan_atomic##BITS##_fetch_nand(volatile TYPE* address, TYPE operand, int order) {             \
    return ordeal::runtime::nand(address, operand, order, ORDEAL_SITE);                                           \
  }                                                                                                               \
  ORDEAL_ENTRY(__tsan_atomic##BITS##_compare_exchange_strong) \
  ORDEAL_BEHIND_ENTRY bool ordeal___tsan_atomic##BITS##_compare_exchange_strong(volatile TYPE* address, TYPE* expected,           \
                                                                TYPE desired, int order, int failure_order) {     \
    return ordeal::runtime::compare_exchange(address, expected, desired, order, failure_order, false, ORDEAL_SITE); \
  }                                                                                                               \
  ORDEAL_ENTRY(__tsan_atomic##BITS##_compare_exchange_weak) \
  ORDEAL_BEHIND_ENTRY bool ordeal___tsan_atomic##BITS##_compare_exchange_weak(volatile TYPE* address, TYPE* expected,             \
                                                              TYPE desired, int order, int failure_order) {       \
    return ordeal::runtime::compare_exchange(address, expected, desired, order, failure_order, true, ORDEAL_SITE); \
  }                                                                                                               \
  ORDEAL_ENTRY(__tsan_atomic##BITS##_compare_exchange_val) \
  ORDEAL_BEHIND_ENTRY TYPE ordeal___tsan_atomic##BITS##_compare_exchange_val(volatile TYPE* address, TYPE expected, TYPE desired, \
                                                             int order, int failure_order) {                      \
    ordeal::runtime::compare_exchange(address, &expected, desired, order, failure_order, false, ORDEAL_SITE, ordeal::runtime::Call::Returns::kValue); \
    return expected;                                                                                              \
  }

ORDEAL_ATOMICS(8, std::uint8_t)
ORDEAL_ATOMICS(16, std::uint16_t)
ORDEAL_ATOMICS(32, std::uint32_t)
ORDEAL_ATOMICS(64, std::uint64_t)
ORDEAL_ATOMICS(128, unsigned __int128)

ORDEAL_ENTRY(__tsan_atomic_thread_fence)
ORDEAL_BEHIND_ENTRY void ordeal___tsan_atomic_thread_fence(int order) {
  using namespace ordeal::runtime;
  Call call;
  call.kind = Call::Kind::kFence;
  call.site = ORDEAL_SITE;
  call.order = memory_order_of(order);
  if (NativeProgram::current != nullptr) {
    begin_write(*NativeProgram::current, [&] { return call; });
    atomic_fence(call.order, ORDEAL_SITE);
  } else if (Speculation::is_on()) {
    Speculation::arrive(call);
  }
}
ORDEAL_ABI void __tsan_atomic_signal_fence(int) {}

namespace ordeal::runtime {
namespace {

template <class T>
bool weak(volatile void* address, void* expected, const void* desired, int order, int failure_order, std::uintptr_t site) {
  return compare_exchange(static_cast<volatile T*>(address), static_cast<T*>(expected), *static_cast<const T*>(desired), order,
                          failure_order, true, site);
}

}  // namespace
}  // namespace ordeal::runtime

/// A weak compare-exchange. Clang calls the same function for weak and strong ones and works out the success itself, so
/// the wrapper's header (weak_compare_exchange.h) brings weak ones here.
ORDEAL_ENTRY(__ordeal_compare_exchange_weak)
ORDEAL_BEHIND_ENTRY int ordeal___ordeal_compare_exchange_weak(volatile void* address, void* expected, const void* desired, unsigned size,
                                               int order, int failure_order) {
  using namespace ordeal::runtime;
  switch (size) {
    case 1: return weak<std::uint8_t>(address, expected, desired, order, failure_order, ORDEAL_SITE);
    case 2: return weak<std::uint16_t>(address, expected, desired, order, failure_order, ORDEAL_SITE);
    case 4: return weak<std::uint32_t>(address, expected, desired, order, failure_order, ORDEAL_SITE);
    case 8: return weak<std::uint64_t>(address, expected, desired, order, failure_order, ORDEAL_SITE);
    default: return weak<unsigned __int128>(address, expected, desired, order, failure_order, ORDEAL_SITE);
  }
}
