// Raw futexes: wait and wake, by syscall(). (The standard library's own waits do not come here: include/ordeal/inside.)
//
// The waiters of a word are a condition variable (sync.h). In the kernel a lock makes one step of "compare the word, then join the waiters",
// and of a wake; here, too. So that a wait that comes behind a wake sees what was stored before that, the wake releases and the wait
// acquires; whoever is woken acquires nothing by it.
#include "runtime/futex.h"

#include <bit>
#include <cstdint>
#include <iterator>
#include <string>

#include <errno.h>
#include <limits.h>
#include <linux/futex.h>

#include "runtime/abi.h"
#include "runtime/access.h"
#include "runtime/loops/rules.h"
#include "runtime/outside.h"
#include "runtime/sync.h"
#include "runtime/sync_operations.h"
#include "runtime/testing.h"
#include "runtime/virtual_time.h"

namespace ordeal::runtime {
namespace {

using engine::OperationKind;
using model::Access;
using model::MemoryOrder;
using model::RmwFunction;

Thread& self() { return *NativeProgram::current; }

long failed(int error) {
  errno = error;
  return -1;
}

void let_time_pass(const FutexCall& call, bool is_absolute) {
  if (Outside::real_time) return;
  if (is_absolute) return let_time_pass_until(call.timeout);
  own_time() += call.timeout->tv_sec * kSecond + call.timeout->tv_nsec;
}

bool await_wake_up(const FutexCall& call, model::Value bit, bool is_absolute) {
  if (call.timeout == nullptr) return runtime::await_wake_up(call.word, bit, call.site);
  const TimeLimit limit(call.timeout, is_absolute);
  return runtime::await_wake_up(call.word, bit, call.site);
}

long wait(const FutexCall& call, bool is_absolute) {
  const void* word = call.word;
  const model::Value bit = own_bit(call.site);
  begin_step(word, call.site);
  self().futex_mask = call.mask;
  set_waiting(word, bit, true, call.site, MemoryOrder::kAcquire);
  const Cell cell{reinterpret_cast<std::uintptr_t>(word), 4, call.site};
  const bool is_same = static_cast<std::uint32_t>(atomic_load(cell, MemoryOrder::kRelaxed)) == call.value;
  if (!is_same) set_waiting(word, bit, false, call.site);
  end_step(word, call.site);
  if (!is_same) return failed(EAGAIN);
  const bool has_limit = call.timeout != nullptr;
  const bool may_give_up = has_limit || (explore_spurious && self().spurious_wake_ups == 0);
  if (may_give_up && (has_limit ? gives_up_at_once(call.site) : choose(2, call.site, model::ChoiceOf::kWakeUp) == 1)) {
    if (!has_limit) ++self().spurious_wake_ups;
    note_effect(self(), trace::KeptBy::kWoken, call.site);
    if (!gives_up_waiting(word, bit, call.site) || !has_limit) return 0;
    let_time_pass(call, is_absolute);
    return failed(ETIMEDOUT);
  }
  const bool was_woken = await_wake_up(call, bit, is_absolute);
  if (was_woken || !gives_up_waiting(word, bit, call.site)) return 0;
  let_time_pass(call, is_absolute);
  return failed(ETIMEDOUT);
}

/// Those of the threads `waiting` in this word whose mask has a bit of the call's. (They set it before they joined the waiters, and it stays until they leave.)
std::uint64_t meant(const FutexCall& call, std::uint64_t waiting, int word) {
  for (std::uint64_t rest = waiting; rest != 0; rest &= rest - 1) {
    const int thread = word * kThreadsOfWord + std::countr_zero(rest);
    if ((NativeProgram::instance->thread(thread).futex_mask & call.mask) == 0) waiting &= ~(rest & -rest);
  }
  return waiting;
}

/// Any `count` of them.
std::uint64_t choose_some(std::uint64_t among, long count, std::uintptr_t site) {
  std::uint64_t chosen = 0;
  for (; among != 0 && count > 0; --count) {
    const auto alternatives = static_cast<unsigned>(std::popcount(among));
    unsigned which = 0;
    if (count < static_cast<long>(alternatives)) which = is_testing ? Testing::who_wakes(alternatives) : choose(alternatives, site, model::ChoiceOf::kWaiter);
    std::uint64_t rest = among;
    for (; which > 0; --which) rest &= rest - 1;
    chosen |= rest & -rest;
    among &= ~(rest & -rest);
  }
  return chosen;
}

/// Only those who wait for one of the mask's bits.
long wake_meant(const FutexCall& call) {
  begin_step(call.word, call.site);
  note_effect(self(), trace::KeptBy::kWakeUp, call.site);
  long woken = 0;
  for (int word = words_of(call.word) - 1; word >= 0; --word) {
    Access access = notification(call.word, RmwFunction::kOr, word);
    access.order = MemoryOrder::kRelease;
    const auto waiting = static_cast<std::uint64_t>(sync_operation(OperationKind::kRmw, access, call.site).value);
    const std::uint64_t chosen = choose_some(meant(call, waiting, word), static_cast<long>(call.value) - woken, call.site);
    if (chosen == 0) continue;
    Access clear = notification(call.word, RmwFunction::kAnd, word);
    clear.operand = static_cast<model::Value>(~chosen);
    // Who gave up meanwhile was not woken.
    woken += std::popcount(static_cast<std::uint64_t>(sync_operation(OperationKind::kRmw, clear, call.site).value) & chosen);
  }
  end_step(call.word, call.site);
  return woken;
}

/// Returns how many it has woken.
long wake(const FutexCall& call) {
  begin_step(call.word, call.site);
  note_effect(self(), trace::KeptBy::kWakeUp, call.site);
  long waiting = 0, woken = 0;
  for (int word = words_of(call.word) - 1; word >= 0; --word) {
    Access access = notification(call.word, call.value >= 63 ? RmwFunction::kExchange : RmwFunction::kOr, word);
    access.order = MemoryOrder::kRelease;
    waiting += std::popcount(static_cast<std::uint64_t>(sync_operation(OperationKind::kRmw, access, call.site).value));
  }
  if (call.value >= 63) woken = waiting;
  for (; call.value < 63 && woken < static_cast<long>(call.value) && woken < waiting; ++woken) notify_one(call.word, call.site);
  end_step(call.word, call.site);
  return woken;
}

/// By the number of the operation.
std::string name_of(int operation) {
  constexpr const char* kNames[] = {"WAIT",      "WAKE",        "FD",          "REQUEUE",         "CMP_REQUEUE",    "WAKE_OP",  "LOCK_PI",
                                    "UNLOCK_PI", "TRYLOCK_PI", "WAIT_BITSET", "WAKE_BITSET", "WAIT_REQUEUE_PI", "CMP_REQUEUE_PI", "LOCK_PI2"};
  const bool is_known = operation >= 0 && operation < static_cast<int>(std::size(kNames));
  return is_known ? std::string("FUTEX_") + kNames[operation] : std::to_string(operation);
}

}  // namespace

long futex(const FutexCall& call) {
  flush_pending_write();
  self().spin.looked_at_count = TracePosition::kMostLooks + 1;  // it reads the word, too: what a loop with it has read before was not in vain for itself
  const bool has_mask = call.operation == FUTEX_WAIT_BITSET || call.operation == FUTEX_WAKE_BITSET;
  if (has_mask && call.mask == 0) return failed(EINVAL);
  FutexCall any = call;
  any.mask = FUTEX_BITSET_MATCH_ANY;
  switch (call.operation) {
    case FUTEX_WAIT: return wait(any, false);
    case FUTEX_WAIT_BITSET: return wait(call, true);
    case FUTEX_WAKE: return wake(call);
    case FUTEX_WAKE_BITSET: return call.mask == FUTEX_BITSET_MATCH_ANY ? wake(call) : wake_meant(call);
    default: break;
  }
  NativeProgram::instance->refuse("the futex operation " + name_of(call.operation) + " is not supported (wait and wake are)", call.site);
}

}  // namespace ordeal::runtime
