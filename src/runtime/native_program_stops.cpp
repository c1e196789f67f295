// How threads of the program stop: at their end, for ever, with a failure, or because they were cut off; and where they stand.
#include <string>
#include <utility>

#include "runtime/debugger.h"
#include "runtime/native_program.h"
#include "runtime/stacks.h"

namespace ordeal::runtime {

using engine::Cut;
using engine::Operation;
using engine::OperationKind;

void NativeProgram::stop(Cut cut) {
  Operation operation;
  operation.kind = OperationKind::kBlock;
  operation.cut = cut;
  for (;;) perform(operation, current->site);
}

void NativeProgram::stop_waiting(std::uintptr_t site) {
  current->site = site;
  if (!is_yielding_) stop(Cut::kSpin);
  Operation operation;
  operation.kind = OperationKind::kNote;
  operation.access.kind = model::EventKind::kNote;
  perform(operation, site);
}

void NativeProgram::finish() {
  kept_turns_.end(*current);
  current->state = Thread::State::kFinished;
  Operation operation;
  operation.kind = OperationKind::kFinish;
  for (;;) perform(operation, current->site);
}

void NativeProgram::fail(Failure failure) {
  if (Debugger::is_on) Debugger::stop_at(failure.kind);
  if (!has_failed_) {
    has_failed_ = true;
    failure_ = std::move(failure);
  }
  stop(Cut::kBug);
}

void NativeProgram::refuse(std::string why, std::uintptr_t site, std::vector<trace::Party> parties) {
  if (refused_.empty()) {
    refused_ = std::move(why);
    refused_parties_ = std::move(parties);
    Stacks::is_recording = true;
    refused_stack_ = stack_here(site);
  }
  stop(Cut::kBug);
}

void NativeProgram::set_recording(bool on) {
  Stacks::is_recording = on;
  recorded_.assign(threads_.size(), {});
}

std::vector<trace::CodeAddress> NativeProgram::stack_of(int id) {
  Thread& thread = this->thread(id);
  if (thread.state != Thread::State::kRunning && thread.state != Thread::State::kFinished) return {};
  if (thread.operation.kind == OperationKind::kBlock && !Debugger::is_asked_to_stop) return {thread.site};  // it may have stopped in a signal handler: nothing is left of it
  const bool was_recording = std::exchange(Stacks::is_recording, true);
  asks_for_stack_ = true;
  enter(thread);
  asks_for_stack_ = false;
  Stacks::is_recording = was_recording;
  return Stacks::get(thread.stack);
}

/// It has made too many operations.
void NativeProgram::cut(Thread& thread, std::uintptr_t site) {
  if (thread.operation.kind == OperationKind::kBlock || thread.operation.kind == OperationKind::kFinish) return;
  if (has_more_ != nullptr && has_more_(has_more_data_, max_operations_)) return;
  thread.operation.kind = OperationKind::kBlock;
  thread.operation.cut = Cut::kBound;
  if (cut_party_.thread >= 0) return;
  const bool was_recording = std::exchange(Stacks::is_recording, true);
  cut_party_ = {thread.id, "made " + std::to_string(max_operations_) + " operations and wants to go on"};
  cut_party_.stack = Stacks::get(stack_here(site));
  Stacks::is_recording = was_recording;
}

}  // namespace ordeal::runtime
