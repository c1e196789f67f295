// libatomic's functions, which Clang calls for objects of 16 bytes, and at -O0 for small structs. Objects of other sizes have
// a lock inside in real life; here the lock is a mutex of the object.
//
// C++ does not let us define functions with these names (they are built in), so they are aliases in assembler.
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "runtime/abi.h"
#include "runtime/access.h"
#include "runtime/sync.h"

namespace ordeal::runtime {
namespace {

constexpr bool fits(std::size_t size) { return size == 1 || size == 2 || size == 4 || size == 8 || size == 16; }

Cell cell_of(const volatile void* address, std::size_t size, std::uintptr_t site) {
  return {reinterpret_cast<std::uintptr_t>(address), static_cast<std::uint32_t>(size), site};
}
model::Value value_at(const void* address, std::size_t size) {
  return NativeProgram::instance->location_table().load(reinterpret_cast<std::uintptr_t>(address), static_cast<std::uint32_t>(size));
}
void put(void* address, std::size_t size, model::Value value) {
  NativeProgram::instance->location_table().store(reinterpret_cast<std::uintptr_t>(address), static_cast<std::uint32_t>(size), value);
}

/// Plain access to an object that has a lock inside.
class Locked {
 public:
  Locked(const volatile void* object, std::uintptr_t site) : object_(const_cast<const void*>(object)), site_(site) { lock(object_, site_); }
  ~Locked() { unlock(object_, site_); }
  Locked(const Locked&) = delete;
  Locked& operator=(const Locked&) = delete;

 private:
  const void* object_;
  std::uintptr_t site_;
};

}  // namespace
}  // namespace ordeal::runtime

using namespace ordeal::runtime;

#define ORDEAL_LIBATOMIC(NAME) \
  asm(".globl " #NAME "\n.set " #NAME ", ordeal_generic_" #NAME "\n.type " #NAME ", @function\n")
#define ORDEAL_GENERIC extern "C" __attribute__((visibility("default"), used))

ORDEAL_GENERIC void ordeal_generic___atomic_load(std::size_t size, const volatile void* from, void* to, int order) {
  if (is_checked() && fits(size)) return put(to, size, atomic_load(cell_of(from, size, ORDEAL_SITE), memory_order_of(order)));
  if (!is_checked()) return static_cast<void>(std::memcpy(to, const_cast<const void*>(from), size));
  const Locked locked(from, ORDEAL_SITE);
  std::memcpy(to, const_cast<const void*>(from), size);
}
ORDEAL_GENERIC void ordeal_generic___atomic_store(std::size_t size, volatile void* to, const void* from, int order) {
  if (is_checked() && fits(size)) return atomic_store(cell_of(to, size, ORDEAL_SITE), value_at(from, size), memory_order_of(order));
  if (!is_checked()) return static_cast<void>(std::memcpy(const_cast<void*>(to), from, size));
  const Locked locked(to, ORDEAL_SITE);
  std::memcpy(const_cast<void*>(to), from, size);
}
ORDEAL_GENERIC void ordeal_generic___atomic_exchange(std::size_t size, volatile void* object, const void* desired, void* old, int order) {
  if (is_checked() && fits(size)) {
    const ordeal::model::Value value = value_at(desired, size);
    return put(old, size, atomic_rmw(cell_of(object, size, ORDEAL_SITE), ordeal::model::RmwFunction::kExchange, value, memory_order_of(order)));
  }
  if (is_checked()) lock(const_cast<const void*>(object), ORDEAL_SITE);
  std::memcpy(old, const_cast<const void*>(object), size);
  std::memcpy(const_cast<void*>(object), desired, size);
  if (is_checked()) unlock(const_cast<const void*>(object), ORDEAL_SITE);
}
ORDEAL_GENERIC bool ordeal_generic___atomic_compare_exchange(std::size_t size, volatile void* object, void* expected, const void* desired,
                                                             int order, int failure_order) {
  if (is_checked() && fits(size)) {
    CompareExchange exchange{value_at(expected, size), value_at(desired, size), memory_order_of(order), memory_order_of(failure_order), false};
    const bool succeeded = atomic_compare_exchange(cell_of(object, size, ORDEAL_SITE), exchange);
    if (!succeeded) put(expected, size, exchange.expected);
    return succeeded;
  }
  if (is_checked()) lock(const_cast<const void*>(object), ORDEAL_SITE);
  const bool succeeded = std::memcmp(const_cast<const void*>(object), expected, size) == 0;
  if (succeeded) std::memcpy(const_cast<void*>(object), desired, size);
  else std::memcpy(expected, const_cast<const void*>(object), size);
  if (is_checked()) unlock(const_cast<const void*>(object), ORDEAL_SITE);
  return succeeded;
}
ORDEAL_GENERIC bool ordeal_generic___atomic_is_lock_free(std::size_t size, const volatile void*) { return fits(size); }

ORDEAL_LIBATOMIC(__atomic_load);
ORDEAL_LIBATOMIC(__atomic_store);
ORDEAL_LIBATOMIC(__atomic_exchange);
ORDEAL_LIBATOMIC(__atomic_compare_exchange);
ORDEAL_LIBATOMIC(__atomic_is_lock_free);

// The forms with a size in their name, 16 bytes.
using Wide = unsigned __int128;
ORDEAL_GENERIC Wide ordeal_generic___atomic_load_16(const volatile void* from, int order) {
  Wide value;
  ordeal_generic___atomic_load(16, from, &value, order);
  return value;
}
ORDEAL_GENERIC void ordeal_generic___atomic_store_16(volatile void* to, Wide value, int order) {
  ordeal_generic___atomic_store(16, to, &value, order);
}
ORDEAL_GENERIC Wide ordeal_generic___atomic_exchange_16(volatile void* object, Wide desired, int order) {
  Wide old;
  ordeal_generic___atomic_exchange(16, object, &desired, &old, order);
  return old;
}
ORDEAL_GENERIC bool ordeal_generic___atomic_compare_exchange_16(volatile void* object, void* expected, Wide desired, bool, int order,
                                                                int failure_order) {
  return ordeal_generic___atomic_compare_exchange(16, object, expected, &desired, order, failure_order);
}
ORDEAL_LIBATOMIC(__atomic_load_16);
ORDEAL_LIBATOMIC(__atomic_store_16);
ORDEAL_LIBATOMIC(__atomic_exchange_16);
ORDEAL_LIBATOMIC(__atomic_compare_exchange_16);
