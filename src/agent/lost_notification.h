// A thread waits for a notification of an atomic object, [atomics.wait]; whether it may wait for ever.
//
// A notification reaches a thread that has blocked after it saw a value which a write that happens before the notification has
// overwritten. notify_all reaches all of them, notify_one may choose. So a thread is lost if each notify_one may have chosen
// another: a thread that waited too and has gone on. The executions have no event for what such a thread saw when it blocked;
// here it is put in, and must be consistent.
#pragma once

#include <span>

#include "model/consistency.h"
#include "runtime/native_program.h"

namespace ordeal::agent {

class LostNotification {
 public:
  using Notification = runtime::NativeProgram::Notification;

  LostNotification(const model::ExecutionGraph& graph, model::Consistency& consistency, std::uintptr_t address,
                   std::span<const Notification> notifications)
      : graph_(graph), consistency_(consistency), address_(address), notifications_(notifications) {}

  enum class Fate : std::uint8_t {
    kGoesOn,      // it is notified; or the value it waits for is not there, which is another execution's business
    kUnnotified,  // by nobody
    kPassedOver,  // each notification may have chosen another
  };
  /// Of `thread`, whose last event is the load that made it block.
  Fate fate_of(model::ThreadId thread);

 private:
  /// A thread has seen this write and blocked, before it went on with the load `went_on`.
  struct Blocked {
    model::Slot went_on, saw;
  };
  model::Slot before(const Notification& notification) const;
  bool is_later(model::Slot write, model::Slot other) const;
  enum class Certainty : std::uint8_t { kMaybe, kSurely };  // in some modification order, in all
  bool reaches(const Notification& notification, model::Slot saw, Certainty certainty) const;
  bool all_elsewhere(std::span<const Notification* const> left, model::ThreadId lost);
  bool are_consistent();

  const model::ExecutionGraph& graph_;
  model::Consistency& consistency_;
  std::uintptr_t address_;
  std::span<const Notification> notifications_;
  std::vector<Blocked> blocked_;
  int tries_ = 0;
};

}  // namespace ordeal::agent
