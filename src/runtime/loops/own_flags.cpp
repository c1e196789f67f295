#include "runtime/loops/own_flags.h"

#include <algorithm>

#include "runtime/loops/configuration.h"
#include "runtime/loops/rules.h"
#include "runtime/native_program.h"

namespace ordeal::runtime {
namespace {

NativeProgram& program() { return *NativeProgram::instance; }

/// Whether what the thread does now happens before `other` is created: it will create it, or one that does.
bool comes_before(const Thread& thread, const Thread& other) {
  const Thread* next = &other;
  while (next->state == Thread::State::kUnused && next->parent >= 0) next = &program().thread(next->parent);
  return next != &other && next == &thread;
}

/// Whether what the thread does now happens after the end of `other`.
bool comes_after(const Thread& thread, const Thread& other) { return other.state == Thread::State::kFinished && thread.hb[other.id] > other.hb[other.id]; }

}  // namespace

const OwnFlags::Flag* OwnFlags::find(int owner, std::uintptr_t address, std::size_t size) const {
  for (const Flag& flag : flags_)
    if (flag.state == State::kOn && flag.owner == owner && flag.address == address && flag.size == size) return &flag;
  return nullptr;
}

bool OwnFlags::note_write(const Thread& thread, std::uintptr_t address, std::size_t size) {
  const Flag* const flag = find(thread.id, address, size);
  if (flag == nullptr) return false;
  const_cast<Flag*>(flag)->is_used = true;
  return true;
}

void OwnFlags::note_access_of_watched(const Thread& thread, const Range& range) {
  for (Flag& flag : flags_) {
    if (flag.state == State::kShared || flag.owner == thread.id || !range.overlaps({flag.address, flag.size})) continue;
    const Thread& owner = program().thread(flag.owner);
    if (comes_before(thread, owner) || comes_after(thread, owner)) continue;
    must_begin_anew_ |= flag.state == State::kOn && flag.is_used;
    flag.state = State::kShared;
    count();
  }
}

/// All changes of the turn are kept, each object holds what it held before, and may be a flag.
bool OwnFlags::has_only_flags(const Thread& thread, const Step& then, const Step& now) const {
  const LoopTrace& trace = thread.spin;
  for (std::uint64_t effect = then.effects + 1; effect <= now.effects; ++effect) {
    const AtomicChange& change = trace.changes[effect % TracePosition::kMostChanges];
    if (change.effect != effect) return false;
    const bool is_first = std::none_of(std::begin(trace.changes), std::end(trace.changes), [&](const AtomicChange& other) {
      return other.effect > then.effects && other.effect < effect && other.address == change.address && other.size == change.size;
    });
    if (is_first && static_cast<std::uint64_t>(program().location_table().load(change.address, change.size)) != change.before) return false;
    const Range range{change.address, change.size};
    const auto is_none = [&](const Flag& flag) { return range.overlaps({flag.address, flag.size}) && (flag.state == State::kShared || flag.owner != thread.id); };
    if (std::any_of(flags_.begin(), flags_.end(), is_none)) return false;
    const auto is_of_other = [&](int by, bool) { return by != thread.id && by != thread.parent; };  // that may have initialised it
    if (Shadow::has_access(change.address, change.size, is_of_other)) return false;
  }
  return true;
}

/// Not with symmetric threads: of executions that differ by who is who one is visited, and the others might refute it.
void OwnFlags::look_for_turn(Thread& thread, const Step& now) {
  if (!reduces_loops || !takes_over || thread.is_alone || rounds_ >= kMostRounds || !program().explores_all() || program().symmetry().is_on()) return;
  const LoopTrace& trace = thread.spin;
  for (int i = trace.count; i-- > 0;) {
    const Step& then = trace.steps[static_cast<std::size_t>(i)];
    if (now.effects - then.effects > TracePosition::kMostChanges) return;
    if (then.effects == now.effects || then.call.site != now.call.site || then.registers[6] != now.registers[6] || then.holds != now.holds) continue;
    if (!has_only_flags(thread, then, now)) return;
    bool are_all = true;
    for (std::uint64_t effect = then.effects + 1; effect <= now.effects; ++effect) {
      const AtomicChange& change = trace.changes[effect % TracePosition::kMostChanges];
      are_all &= add(thread.id, change.address, change.size);
    }
    if (are_all && !thread.result.next_is_known && is_same_configuration(thread, then, now)) stop(thread, then, now);
    return;
  }
}

/// False: there are too many.
bool OwnFlags::add(int owner, std::uintptr_t address, std::size_t size) {
  const bool is_known = std::any_of(flags_.begin(), flags_.end(), [&](const Flag& flag) { return flag.address == address && flag.size == size; });
  if (is_known) return true;
  if (flags_.size() == kMostFlags) return false;
  flags_.push_back({address, size, owner, State::kFound, false});
  count();
  return true;
}

/// The thread would go round forever.
void OwnFlags::stop(Thread& thread, const Step& then, const Step& now) {
  must_begin_anew_ = !is_replaying_;
  if (!is_replaying_) program().stop(engine::Cut::kRedundant);
  thread.spin.first_event = then.first_event;
  program().stop_waiting(now.call.site);
}

bool OwnFlags::are_found() const {
  return std::any_of(flags_.begin(), flags_.end(), [](const Flag& flag) { return flag.state == State::kFound; });
}

void OwnFlags::count() {
  are_watched_ = are_on_ = false;
  for (const Flag& flag : flags_) {
    are_watched_ |= flag.state != State::kShared;
    are_on_ |= flag.state == State::kOn;
  }
}

void OwnFlags::begin_round() {
  rounds_ += are_found() ? 1 : 0;
  must_begin_anew_ = false;
  for (Flag& flag : flags_) {
    if (flag.state == State::kFound) flag.state = State::kOn;
    flag.is_used = false;
  }
  count();
}

void note_own_write(Thread& thread, std::uintptr_t address, std::size_t size) {
  constexpr std::size_t kMostWrites = 64;
  LoopTrace& trace = thread.spin;
  if (trace.steps_effects != trace.effects) forget(trace);
  ++trace.repetitions;  // nothing is learnt from such turns (waiting_places.h)
  if (trace.writes.size() < kMostWrites) trace.writes.push_back(MemoryPiece::of(address, size));
  else note_effect(thread, trace::KeptBy::kLargeWrite);
}

}  // namespace ordeal::runtime
