// Waiting for an atomic object to change, [atomics.wait]: where our own <bits/atomic_wait.h> comes down to.
//
// A wait is one load that blocks until it sees another value. The standard lets a wait end without a notification, so this
// is all that it allows. To find a missing notification the wait may also stand still, having seen the old value: what the
// others do then, and whom they notify, is looked at when nothing goes on (agent/lost_notification.h). How it goes on after a
// notification is part of the executions in which it just waited for the value.
#include <cstdint>

#include "runtime/abi.h"
#include "runtime/access.h"
#include "runtime/loops/rules.h"
#include "runtime/notify_one.h"
#include "runtime/sync.h"
#include "runtime/testing.h"

using namespace ordeal::runtime;

namespace {

Cell cell_at(const volatile void* address, unsigned size, std::uintptr_t site) {
  return {reinterpret_cast<std::uintptr_t>(address), size, site};
}

}  // namespace

ORDEAL_ABI void __ordeal_atomic_wait(const volatile void* address, unsigned size, unsigned long long old, int order) {
  if (!is_checked()) return;
  const Cell cell = cell_at(address, size, ORDEAL_SITE);
  const auto value = static_cast<ordeal::model::Value>(old);
  if (is_testing) return Testing::wait(cell, value, memory_order_of(order));
  NativeProgram& program = *NativeProgram::instance;
  if (program.looks_for_missing_notifications() && choose(2, ORDEAL_SITE, ordeal::model::ChoiceOf::kNotification) == 1) {
    if (atomic_load(cell, memory_order_of(order)) != value) program.stop(ordeal::engine::Cut::kAssumption);
    program.stop(ordeal::engine::Cut::kUnnotified);
  }
  atomic_await(cell, value, memory_order_of(order));
  if (NotifyOne::is_known) note_effect(*NativeProgram::current, ordeal::trace::KeptBy::kWoken, ORDEAL_SITE);
}

ORDEAL_ABI void __ordeal_atomic_await(const volatile void* address, unsigned size, unsigned long long old, int order) {
  if (!is_checked()) return;
  atomic_await(cell_at(address, size, ORDEAL_SITE), static_cast<ordeal::model::Value>(old), memory_order_of(order));
}

ORDEAL_ABI void __ordeal_begin_step(const volatile void* object) {
  if (is_checked()) begin_step(const_cast<const void*>(object), ORDEAL_SITE);
}
ORDEAL_ABI void __ordeal_end_step(const volatile void* object) {
  if (is_checked()) end_step(const_cast<const void*>(object), ORDEAL_SITE);
}

ORDEAL_ABI int __ordeal_atomic_wait_timed(const volatile void* address, unsigned size, unsigned long long old, int order) {
  if (!is_checked()) return 1;
  if (choose(2, ORDEAL_SITE, ordeal::model::ChoiceOf::kTimeLimit) == 1) return 0;
  NativeProgram::current->waits_with_time_limit = true;
  atomic_await(cell_at(address, size, ORDEAL_SITE), static_cast<ordeal::model::Value>(old), memory_order_of(order));
  NativeProgram::current->waits_with_time_limit = false;
  return is_testing && NativeProgram::current->result.succeeded == false ? 0 : 1;
}

ORDEAL_ABI unsigned long long __ordeal_last_seen(const volatile void* address, unsigned size) {
  if (!is_checked()) return 0;
  return static_cast<unsigned long long>(last_seen(cell_at(address, size, ORDEAL_SITE)));
}

ORDEAL_ABI void __ordeal_atomic_notify(const volatile void* address, int all) {
  if (!is_checked()) return;
  if (is_testing) return Testing::notify(reinterpret_cast<std::uintptr_t>(address), all != 0);
  flush_pending_write();
  NativeProgram::instance->note_notification(reinterpret_cast<std::uintptr_t>(address), all != 0);
}

ORDEAL_ABI void __ordeal_misuse(const volatile void* object, const char* what) {
  if (is_checked()) fail_with_misuse(const_cast<const void*>(object), what, ORDEAL_SITE);
}
