#include "explore/replay.h"

#include <algorithm>
#include <array>
#include <bit>
#include <string_view>
#include <utility>

#include "explore/promises.h"
#include "explore/waiting.h"

namespace ordeal::explore {

using engine::Choice;
using engine::ChoiceKind;
using engine::Operation;
using engine::OperationKind;
using model::Consistency;
using model::Event;
using model::EventKind;
using model::kNone;
using model::number;
using model::Slot;
using model::ThreadId;

namespace {

std::string thread_name(ThreadId thread) { return "thread " + std::to_string(number(thread)); }

std::string event_name(ThreadId thread, std::int32_t index) {
  if (thread == model::kNoThread) return "the initial write of location " + std::to_string(index);
  return "event " + std::to_string(index) + " of " + thread_name(thread);
}

std::string describe(const Choice& choice) {
  switch (choice.kind) {
    case ChoiceKind::kStep: return "steps";
    case ChoiceKind::kReadsFrom: return "reads from " + event_name(choice.thread, choice.index);
    case ChoiceKind::kMoPosition:
      return "writes at position " + std::to_string(choice.index) + " in modification order";
    case ChoiceKind::kValue: return "chooses " + std::to_string(choice.value);
    case ChoiceKind::kSpuriousFailure:
      return "fails spuriously, reading from " + event_name(choice.thread, choice.index);
    case ChoiceKind::kPromise:
      return "reads " + std::to_string(choice.value) + ", promised by " + event_name(choice.thread, choice.index);
    case ChoiceKind::kWokenWaiter:
      return "clears bit " + std::to_string(choice.value) + ", reading from " + event_name(choice.thread, choice.index);
    default: return "makes a choice of kind " + std::to_string(static_cast<int>(choice.kind));
  }
}

std::string describe(const Operation& operation) {
  static constexpr std::array<std::string_view, 14> kNames{
      "loads",           "stores",           "makes a read-modify-write",
      "makes a fence",   "locks",            "unlocks",
      "waits",           "notifies",         "creates a thread",
      "joins a thread",  "chooses a value",  "makes a note",
      "ends",            "is blocked"};
  return std::string(kNames.at(static_cast<std::size_t>(operation.kind)));
}

bool names_a_write(const Choice& choice) {
  return choice.kind == ChoiceKind::kReadsFrom || choice.kind == ChoiceKind::kSpuriousFailure ||
         choice.kind == ChoiceKind::kWokenWaiter;
}

bool may_wait(const Operation& operation) {
  return operation.kind == OperationKind::kLock || operation.kind == OperationKind::kAwait;
}

ChoiceKind other_kind(const Operation& operation) {
  if (operation.kind == OperationKind::kRmw) return ChoiceKind::kSpuriousFailure;
  return operation.kind == OperationKind::kNotify ? ChoiceKind::kWokenWaiter : ChoiceKind::kReadsFrom;
}

}  // namespace

Replay::Replay(model::Model model, engine::UnitOfWork list, Rest rest)
    : consistency_(model), list_(std::move(list)), rest_(rest) {
  for (Place place = 0; place < list_.size(); ++place) scripts_[list_[place].of].places.push_back(place);
}

bool Replay::advance() { return !std::exchange(started_, true); }

bool Replay::can_go_on(const Operation& operation) {
  const Script* script = script_of(operation.access.thread);
  if (script == nullptr || script->next == script->places.size()) {
    if (rest_ != Rest::kNone || may_wait(operation)) return false;
    fail_short(operation);
  }
  const Choice& next = choice(script->places[script->next]);
  return !names_a_write(next) || is_there(next);
}

bool Replay::knows_more_of(ThreadId thread) {
  const Script* script = script_of(thread);
  return script != nullptr && script->next < script->places.size();
}

bool Replay::decide(const Operation& operation) {
  switch (operation.kind) {
    case OperationKind::kAwait:
      if (is_wake(operation.access.await)) {
        wake(operation);
        break;
      }
      [[fallthrough]];
    case OperationKind::kLoad:
    case OperationKind::kLock:
    case OperationKind::kUnlock:
    case OperationKind::kNotify:
    case OperationKind::kRmw: read(operation); break;
    case OperationKind::kStore: write(operation, Consistency::make_write(operation.access)); break;
    case OperationKind::kChoose: choose(operation); break;
    default: add(operation, take(operation, ChoiceKind::kStep), operation.access.kind, operation.access.operand);
  }
  return true;
}

/// Nothing can go on: the whole list must have been used.
bool Replay::can_end(std::span<const Operation> waiting) {
  Place first = list_.size();
  for (const auto& [thread, script] : scripts_)
    if (script.next < script.places.size()) first = std::min(first, script.places[script.next]);
  if (first < list_.size() && rest_ == Rest::kBug) return true;
  if (first < list_.size())
    fail(first, names_a_write(choice(first)) && !is_there(choice(first)) ? "that event never comes"
                                                                         : "the thread never comes so far");
  if (!promises_.empty()) fail(graph_.event(promises_.front()).stamp, "the promise is not kept");
  check_mo_positions();
  if (rest_ == Rest::kNone && !waiting.empty() && !may_wait_for_ever(consistency_, graph_, waiting)) fail_short(waiting.front());
  graph_.next_stamp = static_cast<std::uint32_t>(list_.size());
  return true;
}

// --- scripts ---------------------------------------------------------------------------------------------------------

Replay::Script* Replay::script_of(ThreadId thread) {
  const auto found = scripts_.find(thread);
  return found == scripts_.end() ? nullptr : &found->second;
}

Replay::Place Replay::take(const Operation& operation, ChoiceKind kind, ChoiceKind or_kind) {
  Script* script = script_of(operation.access.thread);
  if (script == nullptr || script->next == script->places.size()) fail_short(operation);
  const Place place = script->places[script->next++];
  if (choice(place).kind != kind && choice(place).kind != or_kind)
    fail(place, "the thread " + describe(operation) + " there");
  return place;
}

void Replay::push(Event event, Place place) {
  event.stamp = static_cast<std::uint32_t>(place);
  if (!push_among_promises(consistency_, graph_, event)) fail(place, "the model forbids that");
  script_of(event.thread)->slots.push_back(graph_.last());
  if (event.kind == EventKind::kWrite && !promises_.empty()) keep_promises();
}

void Replay::keep_promises() {
  const Slot write = graph_.last();
  const std::size_t index = script_of(graph_.event(write).thread)->slots.size() - 1;
  std::erase_if(promises_, [&](Slot read) {
    const Choice& promise = choice(graph_.event(read).stamp);
    if (promise.thread != graph_.event(write).thread || static_cast<std::size_t>(promise.index) != index) return false;
    if (graph_.event(write).location != graph_.event(read).location || graph_.event(write).value != promise.value)
      fail(graph_.event(read).stamp, "that event does not write this value there");
    keep_promise(graph_, read);
    if (!recheck_all(consistency_, graph_)) fail(graph_.event(read).stamp, "the model forbids that");
    return true;
  });
}

bool Replay::is_there(const Choice& reads_from) {
  if (reads_from.thread == model::kNoThread) return true;
  const Script* script = script_of(reads_from.thread);
  return script != nullptr && reads_from.index >= 0 &&
         static_cast<std::size_t>(reads_from.index) < script->slots.size();
}

// --- events ----------------------------------------------------------------------------------------------------------

void Replay::read_promised(const Operation& operation, Place place) {
  const bool takes_promises = operation.kind == OperationKind::kLoad || operation.kind == OperationKind::kRmw;
  if (!takes_promises || consistency_.mo_is_explicit()) fail(place, "the thread " + describe(operation) + " there");
  if (script_of(choice(place).thread) == nullptr) fail(place, "that thread has no choices");
  push(make_promised_read(graph_, operation.access, choice(place).thread, choice(place).value, false), place);
  const Slot read = graph_.last();
  promises_.push_back(read);
  if (graph_.event(read).is_rmw) write(operation, Consistency::make_rmw_write(graph_.event(read)));
}

void Replay::read(const Operation& operation) {
  const Script* script = script_of(operation.access.thread);
  if (script != nullptr && script->next < script->places.size() && choice(script->places[script->next]).kind == ChoiceKind::kPromise)
    return read_promised(operation, take(operation, ChoiceKind::kPromise));
  const Place place = take(operation, ChoiceKind::kReadsFrom, other_kind(operation));
  const Slot from = source(place, operation.access);
  check_source(place, operation, from);
  const Event event = Consistency::make_read(graph_, operation.access, from, variant(place, operation.access, from));
  push(event, place);
  if (event.is_rmw) write(operation, Consistency::make_rmw_write(graph_.event(graph_.last())));
}

/// Which variant of the access was chosen, if it reads that write.
int Replay::variant(Place place, const model::Access& access, Slot from) const {
  const model::Value value = graph_.event(from).value;
  if (access.function == model::RmwFunction::kClearOne) {
    const bool clears = choice(place).kind == ChoiceKind::kWokenWaiter;
    if (clears != (value != 0)) fail(place, clears ? "no bit is set" : "some bit is set, and none is cleared");
    const model::Value bit = choice(place).value;
    if (clears && (bit < 0 || bit > 63 || (static_cast<std::uint64_t>(value) >> bit & 1) == 0)) fail(place, "that bit is not set");
    return clears ? std::popcount(static_cast<std::uint64_t>(value) & ((std::uint64_t{1} << bit) - 1)) : 0;
  }
  const bool fails = choice(place).kind == ChoiceKind::kSpuriousFailure;
  if (fails && Consistency::variants(access, value) < 2) fail(place, "this cannot fail spuriously");
  return fails ? 1 : 0;
}

void Replay::check_source(Place place, const Operation& operation, Slot from) const {
  if (operation.kind == OperationKind::kUnlock && from != held_state(graph_, operation.access))
    fail(place, "the thread unlocks what it has locked");
  if (!consistency_.fits(operation.access, graph_.event(from).value)) fail(place, "the thread waits for another value");
}

void Replay::wake(const Operation& operation) {
  const Place place = take(operation, ChoiceKind::kReadsFrom);
  const Slot from = source(place, operation.access);
  if (from != waker(graph_, operation.access)) fail(place, "that does not wake the thread");
  push(Consistency::make_wake(graph_, operation.access, from), place);
}

Slot Replay::source(Place place, const model::Access& access) {
  const Choice& chosen = choice(place);
  if (!is_there(chosen)) fail(place, "that event has not come yet");
  if (chosen.thread == model::kNoThread) {
    if (chosen.index != number(access.location) && !locations_may_differ_)
      fail(place, "the thread reads location " + std::to_string(number(access.location)));
    return model::initial_write(access.location);
  }
  const Slot slot = script_of(chosen.thread)->slots[static_cast<std::size_t>(chosen.index)];
  const Event& event = graph_.event(slot);
  if (event.kind != EventKind::kWrite || event.location != access.location)
    fail(place,
         "that is not a write to location " + std::to_string(number(access.location)) + ", which the thread reads");
  return slot;
}

void Replay::write(const Operation& operation, Event event) {
  const Place place = take(operation, consistency_.mo_is_explicit() ? ChoiceKind::kMoPosition : ChoiceKind::kStep);
  if (consistency_.mo_is_explicit()) event.mo_position = mo_position(place, event.location);
  push(event, place);
}

int Replay::mo_position(Place place, model::LocationId location) const {
  int position = 1;
  for (Slot at = graph_.last_write(location); at != kNone; at = graph_.event(at).previous_at_location) {
    const Choice& other = choice(graph_.event(at).stamp);
    if (other.index == choice(place).index) fail(place, "another write of the list has that position");
    if (other.index < choice(place).index) ++position;
  }
  return position;
}

/// When all writes are there, each is where the list says.
void Replay::check_mo_positions() const {
  for (int i = 0; consistency_.mo_is_explicit() && i < graph_.size(); ++i) {
    const Event& event = graph_.event(Slot{i});
    if (event.kind == EventKind::kWrite && event.mo_position != choice(event.stamp).index)
      fail(event.stamp, "its position is " + std::to_string(event.mo_position));
  }
}

void Replay::choose(const Operation& operation) {
  const Place place = take(operation, ChoiceKind::kValue);
  const model::Value value = choice(place).value;
  if (value < 0 || value >= static_cast<model::Value>(operation.alternatives))
    fail(place, "the thread chooses a value below " + std::to_string(operation.alternatives));
  add(operation, place, EventKind::kChoice, value);
}

void Replay::add(const Operation& operation, Place place, EventKind kind, model::Value value) {
  Event event;
  event.access = operation.access;
  event.kind = kind;
  event.order = operation.access.order;
  event.thread = operation.access.thread;
  event.value = value;
  push(event, place);
}

void Replay::fail(Place place, const std::string& why) const {
  throw ReplayError(place, "choice " + std::to_string(place) + " (" + thread_name(choice(place).of) + " " +
                               describe(choice(place)) + ") does not fit the program: " + why);
}

void Replay::fail_short(const Operation& operation) const {
  throw ReplayError(list_.size(), "the list of choices is too short: there is none for " +
                                      thread_name(operation.access.thread) + " where it " + describe(operation));
}

}  // namespace ordeal::explore
