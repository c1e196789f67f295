#include "tests/support/litmus_sampling.h"

namespace ordeal::tests {

using engine::Operation;
using engine::OperationKind;
using engine::Result;
using model::Access;
using model::Consistency;
using model::ThreadId;
using sample::Sampler;
using sample::StepKind;

namespace {

StepKind kind_of(const Operation& operation) {
  switch (operation.kind) {
    case OperationKind::kLoad: return StepKind::kLoad;
    case OperationKind::kStore: return operation.access.order == model::MemoryOrder::kSeqCst ? StepKind::kRmw : StepKind::kStore;
    case OperationKind::kRmw: return StepKind::kRmw;
    case OperationKind::kFence: return StepKind::kFence;
    case OperationKind::kCreate: return StepKind::kCreate;
    default: return StepKind::kSync;
  }
}

sample::Memory::LocationId location_of(const Access& access) { return static_cast<sample::Memory::LocationId>(number(access.location)); }

}  // namespace

LitmusSampling::LitmusSampling(const litmus::Test& test, int loop_bound) : test_(test), interpreter_(test, loop_bound), observables_(test.observables()) {}

void LitmusSampling::begin(sample::Strategy& strategy, std::uint64_t seed, std::uint64_t execution) {
  interpreter_.begin();
  sampler_.begin(strategy, seed, execution);
  for (int l = 0; l < interpreter_.locations(); ++l) sampler_.memory().new_location(interpreter_.initial_value(model::LocationId{l}));
  for (int t = 0; t < interpreter_.initial_threads(); ++t) sampler_.created(0, t + 1);
  sampler_.ended(0);
  is_consistent_ = true;
  if (!has_graph_) return;
  graph_.clear();
  graph_.next_stamp = 0;
  for (int t = 0; t < interpreter_.initial_threads(); ++t) graph_.declare_thread(ThreadId{t});
  for (int l = 0; l < interpreter_.locations(); ++l) graph_.declare_location(model::LocationId{l}, interpreter_.initial_value(model::LocationId{l}));
}

std::optional<litmus::State> LitmusSampling::run(sample::Strategy& strategy, std::uint64_t seed, std::uint64_t execution) {
  begin(strategy, seed, execution);
  for (int thread = sampler_.choose_other(0); thread != Sampler::kNobody;) {
    const ThreadId id{thread - 1};
    const Operation& operation = interpreter_.next(id);
    if (operation.kind == OperationKind::kBlock) return std::nullopt;
    if (operation.kind == OperationKind::kFinish) {
      sampler_.ended(thread);
      thread = sampler_.choose_other(thread);
      continue;
    }
    interpreter_.resume(id, perform(thread, operation));
    if (!sampler_.goes_on(thread, kind_of(interpreter_.next(id)))) thread = sampler_.chosen();
  }
  return state();
}

Result LitmusSampling::perform(int thread, const Operation& operation) {
  const Access& access = operation.access;
  switch (operation.kind) {
    case OperationKind::kLoad: return load(thread, operation);
    case OperationKind::kRmw: return rmw(thread, operation);
    case OperationKind::kStore:
      sampler_.store(thread, location_of(access), access.operand, access.order, next_slot());
      push_write(access);
      return {};
    case OperationKind::kFence:
      sampler_.memory().fence(thread, access.order);
      push_fence(access);
      return {};
    default: throw std::logic_error("an operation that litmus tests do not have");
  }
}

Result LitmusSampling::load(int thread, const Operation& operation) {
  const sample::StoreId from = sampler_.load(thread, location_of(operation.access), operation.access.order);
  const sample::Store& source = sampler_.memory().store(from);
  push_read(operation.access, source, true);
  Result result;
  result.value = source.value;
  return result;
}

Result LitmusSampling::rmw(int thread, const Operation& operation) {
  const auto [from, succeeded] = sampler_.rmw(thread, location_of(operation.access), operation.access, next_slot() + 1);
  const sample::Store source = sampler_.memory().store(from);
  push_read(operation.access, source, succeeded);
  Result result;
  result.value = source.value;
  result.succeeded = succeeded;
  return result;
}

litmus::Value LitmusSampling::value_of(const litmus::Observable& observable) {
  if (observable.thread >= 0) return interpreter_.variable(observable.thread, observable.index);
  return sampler_.memory().last(static_cast<sample::Memory::LocationId>(observable.index)).value;
}

std::optional<litmus::State> LitmusSampling::state() {
  if (test_.filter && !litmus::holds(*test_.filter, [&](const litmus::Observable& wanted) { return value_of(wanted); })) return std::nullopt;
  litmus::State state;
  for (const litmus::Observable& observable : observables_) state.push_back(value_of(observable));
  return state;
}

// --- the graph ---------------------------------------------------------------------------------------------------------------

void LitmusSampling::push_read(const Access& access, const sample::Store& source, bool succeeded) {
  if (!has_graph_) return;
  const model::Slot from = source.thread < 0 ? model::initial_write(access.location) : model::Slot{static_cast<std::int32_t>(source.number)};
  const bool fails_spuriously = !succeeded && model::writes_after_reading(access, source.value);
  model::Event read = Consistency::make_read(graph_, access, from, fails_spuriously ? 1 : 0);
  read.stamp = graph_.next_stamp++;
  is_consistent_ &= consistency_.push_read(graph_, read);
  if (!read.is_rmw) return;
  model::Event write = Consistency::make_rmw_write(graph_.event(graph_.last()));
  write.stamp = graph_.next_stamp++;
  is_consistent_ &= consistency_.push_write(graph_, write);
}

void LitmusSampling::push_write(const Access& access) {
  if (!has_graph_) return;
  model::Event write = Consistency::make_write(access);
  write.stamp = graph_.next_stamp++;
  is_consistent_ &= consistency_.push_write(graph_, write);
}

void LitmusSampling::push_fence(const Access& access) {
  if (!has_graph_) return;
  model::Event fence;
  fence.access = access;
  fence.kind = model::EventKind::kFence;
  fence.order = access.order;
  fence.thread = access.thread;
  fence.stamp = graph_.next_stamp++;
  consistency_.push_other(graph_, fence);
}

}  // namespace ordeal::tests
