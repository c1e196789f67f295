// Operations that come through NativeProgram::perform: of threads, and of sync objects, whose state is the last of their location.
#include "runtime/arrived_signals.h"
#include "runtime/cancellation.h"
#include "runtime/outside.h"
#include "runtime/signals.h"
#include "runtime/sync.h"
#include "runtime/test_heap.h"
#include "runtime/test_recorder.h"
#include "runtime/testing.h"
#include "runtime/watchdog.h"

namespace ordeal::runtime {

using engine::Operation;
using engine::OperationKind;
using model::Access;
using sample::StepKind;
using sample::StoreId;

sample::Memory::LocationId Testing::location_of(const Access& access) {
  const auto number = static_cast<std::size_t>(model::number(access.location));
  if (number >= locations_.size()) locations_.resize(number + 64);
  Known& known = locations_[number];
  if (known.execution == execution_) return known.location;
  const NativeLocation& object = NativeProgram::instance->location_table()[access.location];
  const model::Value initial = NativeProgram::instance->initial_value(access.location);
  if (is_heap(object.address)) TestHeap::note_sync_object(object.address);
  known = {execution_, sampler_.memory().new_location(initial, true)};
  if (TestRecorder::is_on) [[unlikely]] {
    const bool is_files = object.address == reinterpret_cast<std::uintptr_t>(&Outside::kFiles);
    TestRecorder::add_location(known.location, object.address, object.size, initial, is_files ? trace::LocationSort::kFiles : sort_in_trace(object.sort));
  }
  return known.location;
}

/// False: it must wait, and has been taken out of those that are ready.
bool Testing::try_perform(Thread& thread, Operation& operation) {
  switch (operation.kind) {
    case OperationKind::kLock:
    case OperationKind::kUnlock:
    case OperationKind::kNotify:
    case OperationKind::kRmw: return perform_rmw(thread, operation);
    case OperationKind::kAwait: return perform_await(thread, operation);
    case OperationKind::kLoad: {
      const sample::Memory::LocationId location = location_of(operation.access);
      const StoreId from = sampler_.load(thread.id, location, operation.access.order);
      if (TestRecorder::is_on) [[unlikely]] TestRecorder::read({thread.id, location, operation.access.order, thread.site}, sampler_.memory().store(from));
      thread.result.value = sampler_.memory().store(from).value;
      return true;
    }
    case OperationKind::kStore: {
      const sample::Memory::LocationId location = location_of(operation.access);
      sampler_.store(thread.id, location, operation.access.operand, operation.access.order, TestRecorder::number(thread.id));
      if (TestRecorder::is_on) [[unlikely]] TestRecorder::write({thread.id, location, operation.access.order, thread.site}, operation.access.operand);
      return true;
    }
    case OperationKind::kFence:
      sampler_.memory().fence(thread.id, operation.access.order);
      if (TestRecorder::is_on) [[unlikely]] TestRecorder::fence(thread.id, operation.access.order, thread.site);
      return true;
    case OperationKind::kCreate:
      if (TestRecorder::is_on) [[unlikely]] TestRecorder::create_or_join(thread.id, model::EventKind::kCreate, model::number(operation.access.other), thread.site);
      sampler_.created(thread.id, model::number(operation.access.other));
      NativeProgram::instance->start_for_testing(thread, NativeProgram::instance->thread(model::number(operation.access.other)));
      set_alone(false);
      return true;
    case OperationKind::kJoin: {
      const int other = model::number(operation.access.other);
      if (NativeProgram::instance->thread(other).state != Thread::State::kFinished) {
        sampler_.block_until_end(thread.id, other);
        return false;
      }
      sampler_.memory().join(thread.id, other);
      if (TestRecorder::is_on) [[unlikely]] TestRecorder::create_or_join(thread.id, model::EventKind::kJoin, other, thread.site);
      return true;
    }
    case OperationKind::kChoose: {
      const auto about = static_cast<model::ChoiceOf>(operation.access.operand);
      thread.result.value = sampler_.answer(about == model::ChoiceOf::kProgram ? sample::Question::kProgramChooses : sample::Question::kTimesOut, operation.alternatives);
      if (TestRecorder::is_on) [[unlikely]] TestRecorder::choice(thread.id, thread.result.value, about, thread.site);
      return true;
    }
    case OperationKind::kFinish:
      sampler_.ended(thread.id);
      is_over_ |= NativeProgram::instance->has_exited();
      return false;
    case OperationKind::kBlock:
      is_over_ = true;
      cut_ = operation.cut;
      return false;
    case OperationKind::kNote: return true;
  }
  return true;
}

/// A sync object's state is its last one, whatever it is.
bool Testing::perform_rmw(Thread& thread, Operation& operation) {
  const sample::Memory::LocationId location = location_of(operation.access);
  Access& access = operation.access;
  const model::Value state = sampler_.memory().last(location).value;
  const bool waits = access.await == model::Await::kApplicable && !model::writes_after_reading(access, state);
  if (waits && thread.has_timed_out) {
    thread.result.succeeded = false;
    return true;
  }
  if (waits) {
    if (model::acquires(access.order)) sampler_.block_at_lock(thread.id, location);
    else sampler_.block_at(thread.id, location);
    return false;
  }
  if (access.function == model::RmwFunction::kClearOne && state != 0) {
    // Which of those who wait it wakes.
    model::Value rest = state;
    for (std::uint32_t which = sampler_.answer(sample::Question::kWhoWakes, static_cast<std::uint32_t>(__builtin_popcountll(static_cast<std::uint64_t>(state)))); which > 0; --which) rest &= rest - 1;
    access.function = model::RmwFunction::kAnd;
    access.operand = ~(rest & -rest);
  }
  const sample::Sampler::Rmw result = access.function == model::RmwFunction::kLockShared ? lock_shared(thread, location, access)
                                                                                         : sampler_.rmw(thread.id, location, access, TestRecorder::number(thread.id, 1));
  const bool ends_writing = access.function == model::RmwFunction::kUnlock && NativeProgram::instance->location_table()[access.location].sort == LocationSort::kSharedMutex;
  if (ends_writing) sampler_.memory().release(thread.id, released_by_writers_[location]);
  if (TestRecorder::is_on) [[unlikely]] record_rmw(thread, location, access, result, thread.site);
  thread.result.value = state;
  thread.result.succeeded = result.succeeded;
  return true;
}

/// What other readers did before they unlocked is in the lock, for writers; a reader is behind the last writer only.
sample::Sampler::Rmw Testing::lock_shared(Thread& thread, sample::Memory::LocationId location, Access access) {
  access.order = access.failure_order = model::MemoryOrder::kRelaxed;
  const sample::Sampler::Rmw result = sampler_.rmw(thread.id, location, access, TestRecorder::number(thread.id, 1));
  const auto writers = released_by_writers_.find(location);
  if (result.succeeded && writers != released_by_writers_.end()) sampler_.memory().acquire(thread.id, writers->second);
  return result;
}

void Testing::record_await(const Thread& thread, sample::Memory::LocationId location, const Access& access) {
  const TestRecorder::Access what{thread.id, location, access.order, thread.site};
  if (model::is_wake(access.await)) TestRecorder::wake(what, sampler_.memory().last(location));
  else TestRecorder::read(what, sampler_.memory().last(location));
}

bool Testing::perform_await(Thread& thread, Operation& operation) {
  const sample::Memory::LocationId location = location_of(operation.access);
  const Access& access = operation.access;
  const sample::Store& last = sampler_.memory().last(location);
  const bool is_reached = access.await == model::Await::kReached ? last.value >= access.expected : model::fits(access, last.value);
  thread.result.succeeded = is_reached;
  if (!is_reached && thread.has_timed_out) return true;
  if (!is_reached) {
    sampler_.block_at(thread.id, location);
    return false;
  }
  thread.result.value = last.value;
  if (TestRecorder::is_on) [[unlikely]] record_await(thread, location, access);
  if (model::acquires(access.order)) sampler_.memory().acquire(thread.id, last.published);
  return true;
}

/// A thread that waits was woken. Whether a signal was handled that ends the wait: its result is that it has not succeeded.
bool Testing::is_interrupted(Thread& thread) {
  Watchdog::stop_if_wanted();
  const bool is_cancelled = thread.may_be_cancelled && Cancellation::is_wanted();
  if (!is_cancelled && (!thread.may_be_interrupted || !ArrivedSignals::is_interrupted(ArrivedSignals::Call::kStartsAgain))) return false;
  thread.result.succeeded = false;
  thread.is_interrupted = true;
  return true;
}

void Testing::perform(Thread& thread) {
  Operation& operation = thread.operation;
  const bool is_end = operation.kind == OperationKind::kFinish || operation.kind == OperationKind::kBlock;
  if (!is_end && !is_alone_) arrive(thread, operation.kind == OperationKind::kCreate ? StepKind::kCreate : StepKind::kSync);
  thread.result = {};
  while (!try_perform(thread, operation)) {
    if (!is_end && Signals::must_look()) [[unlikely]] {
      sampler_.wake(thread.id);
    } else {
      sampler_.choose_other(thread.id);
      if (is_end) leave(thread);
      else leave_for_chosen(thread);
    }
    if (!is_end && is_interrupted(thread)) break;
  }
  thread.has_timed_out = false;
  in_vain_ = 0;
  done(thread);
}

}  // namespace ordeal::runtime
