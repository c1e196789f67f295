#include "agent/difference.h"

#include <string>

namespace ordeal::agent {
namespace {

using engine::Cut;
using engine::OperationKind;
using model::Access;
using model::EventKind;
using model::RmwFunction;

std::string describe_rmw(const Access& access) {
  const std::string operand = std::to_string(access.operand);
  switch (access.function) {
    case RmwFunction::kExchange: return "an exchange with " + operand;
    case RmwFunction::kAdd: return "a fetch_add of " + operand;
    case RmwFunction::kSub: return "a fetch_sub of " + operand;
    case RmwFunction::kOr: return "a fetch_or of " + operand;
    case RmwFunction::kAnd: return "a fetch_and of " + operand;
    case RmwFunction::kXor: return "a fetch_xor of " + operand;
    case RmwFunction::kCompareExchange: return "a compare-exchange of " + std::to_string(access.expected) + " for " + operand;
    case RmwFunction::kTake: return "an attempt to take a semaphore";
    case RmwFunction::kLockShared: return "an attempt to lock for reading";
    case RmwFunction::kLockRobust: return "an attempt to lock a mutex";
    case RmwFunction::kClearOne: return "a notification";
    default: return "the unlocking of a mutex";
  }
}

std::string describe(const Access& access) {
  const std::string sort = access.order == model::MemoryOrder::kPlain ? "a plain " : "an atomic ";
  switch (access.kind) {
    case EventKind::kRead:
      if (access.await == model::Await::kApplicable) return access.function == RmwFunction::kTake ? "the taking of a semaphore" : "the locking of a mutex";
      if (access.await != model::Await::kNone) return "a wait";
      return access.function == RmwFunction::kNone ? sort + "load" : describe_rmw(access);
    case EventKind::kWrite: return sort + "store of " + std::to_string(access.operand);
    case EventKind::kFence: return "a fence";
    case EventKind::kCreate: return "the creation of thread " + std::to_string(number(access.other));
    case EventKind::kJoin: return "a join with thread " + std::to_string(number(access.other));
    case EventKind::kChoice: return "a choice";
    default: return "an operation";
  }
}

std::string describe(const engine::Operation& operation) {
  if (operation.kind == OperationKind::kFinish) return "the end of the thread";
  if (operation.kind != OperationKind::kBlock) return describe(operation.access);
  switch (operation.cut) {
    case Cut::kSpin: return "a waiting loop";
    case Cut::kAssumption: return "an assumption that does not hold";
    case Cut::kBug: return "a bug";
    default: return "more operations than are allowed";
  }
}

/// Of a site the graph keeps the low half.
std::vector<trace::CodeAddress> whole_address(std::uint32_t site, const std::vector<trace::Module>& modules) {
  for (const trace::Module& module : modules)
    for (std::uint64_t high = module.base >> 32; high <= module.end >> 32; ++high)
      if (const std::uint64_t address = high << 32 | site; address >= module.base && address < module.end) return {address};
  return {};
}

}  // namespace

void tell_difference(const engine::NotDeterministic& difference, runtime::NativeProgram& program, trace::RunResult& result) {
  const Access &before = difference.before, &now = difference.now.access;
  const int thread = number(before.thread);
  const bool has_ended = difference.now.kind >= OperationKind::kFinish;
  result.cannot_check =
      "not deterministic: it did not do the same when it was run again with the same results (does it depend on a clock, an address, a "
      "random number, uninitialised memory, a file it changes?)";
  const std::vector<trace::CodeAddress> stack = program.stack_of(thread);
  trace::Party first{thread, "at first: " + describe(before)}, second{thread, "then: " + describe(difference.now)};
  second.stack = stack;
  first.stack = !has_ended && before.site == now.site ? stack : whole_address(before.site, result.modules);
  if (difference.differs_at_first) {
    first.what += " of memory that held " + std::to_string(difference.value_before);
    second.what += " of memory that held " + std::to_string(difference.value_now);
  } else if (!has_ended && before.location != now.location && before.kind == now.kind) {
    second.what += ", of other memory";
  }
  result.parties.push_back(std::move(first));
  result.parties.push_back(std::move(second));
}

}  // namespace ordeal::agent
