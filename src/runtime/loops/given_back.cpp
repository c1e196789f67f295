#include "runtime/loops/given_back.h"

#include <algorithm>
#include <span>
#include <utility>

#include "runtime/access.h"
#include "runtime/loops/configuration.h"
#include "runtime/loops/speculation.h"
#include "runtime/loops/take_over.h"
#include "runtime/loops/trace.h"
#include "runtime/native_program.h"
#include "runtime/scrub.h"

namespace ordeal::runtime {
namespace {

NativeProgram& program() { return *NativeProgram::instance; }

template <class T>
bool contains(const std::vector<T>& values, const T& value) {
  return std::find(values.begin(), values.end(), value) != values.end();
}

/// Of an object of so many bytes.
std::uint64_t value_of(std::uint64_t value, std::uint32_t size) { return size == 8 ? value : value & ((std::uint64_t{1} << 8 * size) - 1); }

int thread_of(std::int64_t event) { return static_cast<int>(event >> 32) - 1; }

/// The halves among the effects of a turn; empty: not all of them are. `begin` and `end`: how many effects the thread had then.
std::span<const Half> halves_between(const LoopTrace& trace, std::uint64_t begin, std::uint64_t end) {
  const std::vector<Half>& halves = trace.halves;
  const auto first = std::find_if(halves.begin(), halves.end(), [&](const Half& half) { return half.effect == begin + 1; });
  const auto count = static_cast<std::ptrdiff_t>(end - begin);
  if (end <= begin || halves.end() - first < count || (first + (count - 1))->effect != end) return {};
  return {first, first + count};
}

}  // namespace

// --- what is watched ---------------------------------------------------------------------------------------------------------

void GivenBack::watch(std::uintptr_t address, std::uint32_t size) {
  const auto is_same = [&](const Object& object) { return object.address == address; };
  if (contains(given_up_, address) || std::any_of(new_objects_.begin(), new_objects_.end(), is_same)) return;
  if (objects_.size() + new_objects_.size() + given_up_.size() >= kMostObjects) return;
  new_objects_.push_back({.address = address, .size = size, .amounts = {}, .sites = {}});
  must_begin_anew_ = true;
}

void GivenBack::give_up(Object& object) { object.is_given_up = must_begin_anew_ = true; }

void GivenBack::give_up(std::uintptr_t address) {
  if (Object* object = find(address); object != nullptr) give_up(*object);
}

void GivenBack::refute(Amount& amount) { amount.is_refuted = must_begin_anew_ = true; }

void GivenBack::begin_round() {
  if (must_begin_anew_ && ++rounds_ == kMostRounds) {
    is_on_ = false;
    for (Object& object : objects_) object.is_given_up = true;
    new_objects_.clear();
  }
  must_begin_anew_ = false;
  for (Object& object : objects_) {
    for (Amount& amount : object.amounts) amount.threads.insert(amount.threads.end(), amount.new_threads.begin(), amount.new_threads.end()), amount.new_threads.clear();
    for (Site& site : object.sites) site.is_relied_on = site.is_missed = false;
    object.is_given_up |= !object.amounts.empty() && std::all_of(object.amounts.begin(), object.amounts.end(), [](const Amount& amount) { return amount.is_refuted; });
    if (object.is_given_up) given_up_.push_back(object.address);
  }
  std::erase_if(objects_, [](const Object& object) { return object.is_given_up; });
  objects_.insert(objects_.end(), new_objects_.begin(), new_objects_.end());
  new_objects_.clear();
}

void GivenBack::note_add(Thread& thread, std::uintptr_t address, std::uintptr_t site, std::uint64_t amount) {
  constexpr std::size_t kMostHalves = 16;
  const std::int64_t event = (std::int64_t{thread.id} + 1) << 32 | static_cast<std::int64_t>(thread.hb[thread.id] - 1);
  const std::int64_t source = thread.result.source;
  const bool is_used = is_result_used(site);  // (its function must be on the stack to ask this)
  if (!is_used) thread.spin.untested = 0;
  thread.adds.push_back({event, source, site, is_used});
  if (amount == 0) return;
  std::vector<Half>& halves = thread.spin.halves;
  if (halves.size() == kMostHalves) halves.erase(halves.begin());
  halves.push_back({thread.spin.effects, address, amount, event, source});
}

// --- turns that give back what they took ----------------------------------------------------------------------------------------

/// Whether these are all that the turn does: operations on one object, each of them a step.
bool GivenBack::is_turn(const Thread& thread, int first, int last, const Step& end) const {
  if (objects_.empty()) return false;
  const LoopTrace& trace = thread.spin;
  const Step& begin = trace.steps[static_cast<std::size_t>(first)];
  const std::span<const Half> halves = halves_between(trace, begin.effects, end.effects);
  if (halves.empty() || halves.size() % 2 != 0 || begin.operation + static_cast<std::uint64_t>(last - first) != end.operation) return false;
  const bool is_same_time = begin.time == end.time && begin.looks == end.looks;
  const bool is_without_locks = begin.locks == end.locks && begin.tries == end.tries && begin.holds == end.holds;
  if (begin.shared_accesses != end.shared_accesses || begin.writes != end.writes || begin.repetitions != end.repetitions || !is_same_time || !is_without_locks) return false;
  for (int i = first; i < last; ++i) {
    const Step& step = trace.steps[static_cast<std::size_t>(i)];
    if (!step.has_outcome || step.call.address != begin.call.address || step.call.size != begin.call.size) return false;
  }
  for (std::size_t i = 0; i < halves.size(); i += 2) {
    if (halves[i].address != begin.call.address || halves[i + 1].address != begin.call.address) return false;
    if (halves[i].amount + halves[i + 1].amount != 0) return false;
  }
  return is_watched(begin.call.address);
}

/// Whether it was known, when the round began, that the thread makes such pairs.
bool GivenBack::is_found(Object& object, std::uint64_t amount, int thread) {
  auto found = std::find_if(object.amounts.begin(), object.amounts.end(), [&](const Amount& one) { return one.amount == amount; });
  if (found == object.amounts.end()) {
    if (object.amounts.size() == kMostAmounts) {
      give_up(object);
      return false;
    }
    object.amounts.push_back({.amount = amount, .threads = {}, .new_threads = {}});
    found = object.amounts.end() - 1;
  }
  if (found->is_refuted) return false;
  if (contains(found->threads, thread)) return true;
  if (!contains(found->new_threads, thread)) found->new_threads.push_back(thread);
  must_begin_anew_ = true;
  return false;
}

bool GivenBack::may_be_left_out(Thread& thread, int first, const Step& end) {
  const Step& begin = thread.spin.steps[static_cast<std::size_t>(first)];
  Object& object = *find(begin.call.address);
  const std::span<const Half> halves = halves_between(thread.spin, begin.effects, end.effects);
  bool is_all = !object.is_given_up;
  for (std::size_t i = 0; i < halves.size(); i += 2) is_all &= is_found(object, halves[i].amount, thread.id);
  for (std::size_t i = 0; i < halves.size() && is_all; i += 2) is_all = is_chain(thread, object, halves[i], halves[i + 1]);
  if (!is_all) return false;
  thread.spin.stopped_at = object.address;
  thread.spin.stopped_for = std::min(begin.first_event, static_cast<base::ClockEntry>(halves.front().event & 0xFFFFFFFF));
  return true;
}

GivenBack::Site& GivenBack::site_of(Object& object, std::uintptr_t site, std::uint64_t amount) {
  const auto found = std::find_if(object.sites.begin(), object.sites.end(), [&](const Site& one) { return one.site == site && one.amount == amount; });
  return found != object.sites.end() ? *found : object.sites.emplace_back(Site{site, amount});
}

bool GivenBack::is_chain(const Thread& thread, Object& object, const Half& a, const Half& b) {
  for (std::int64_t at = b.source; at != a.event;) {
    const int by = thread_of(at);
    if (by < 0 || by == thread.id) return false;
    const std::vector<WatchedAdd>& adds = program().thread(by).adds;
    const auto add = std::find_if(adds.rbegin(), adds.rend(), [&](const WatchedAdd& one) { return one.event == at; });
    if (add == adds.rend()) return false;  // it is something else
    at = add->source;
    if (!add->is_used) continue;
    Site& site = site_of(object, add->site, a.amount);
    if (!site.is_tried) site.is_missed = true;
    if (!site.is_tried || site.is_sensitive) return false;
    site.is_relied_on = true;
  }
  return true;
}

// --- who cares ------------------------------------------------------------------------------------------------------------------

void GivenBack::end_operation(Thread& thread) {
  const model::Access& access = thread.operation.access;
  if (access.location == model::kNoLocation) return;
  const NativeLocation& location = std::as_const(program().location_table())[access.location];
  if (location.sort != LocationSort::kMemory) return;
  for (Object& object : objects_) {
    if (location.address >= object.address + object.size || location.address + location.size <= object.address) continue;
    if (location.address != object.address || location.size != object.size) {
      give_up(object);
      continue;
    }
    using enum model::RmwFunction;
    const bool is_rmw = thread.operation.kind == engine::OperationKind::kRmw;
    const bool is_add = is_rmw && (access.function == kAdd || access.function == kSub);
    // Who is alone reads what was written last. Other read-modify-writes are in nobody's chain, or break it.
    const bool is_of_interest = access.kind == model::EventKind::kRead && !thread.is_alone && (!is_rmw || is_add || access.function == kCompareExchange);
    if (!is_of_interest) continue;
    thread.spin.untested = object.address;
    thread.spin.untested_add = is_add ? thread.site : 0;
  }
}

bool GivenBack::is_of_others(const Amount& amount, int thread) {
  return !amount.is_refuted && std::any_of(amount.threads.begin(), amount.threads.end(), [&](int other) { return other != thread; });
}

void GivenBack::make_sensitive(Site& site) {
  must_begin_anew_ |= site.is_relied_on;
  site.is_tried = site.is_sensitive = true;
}

void GivenBack::note_insensitive(Site& site) {
  must_begin_anew_ |= site.is_missed;
  site.is_tried = true;
}

/// Nobody knows whether it cares.
void GivenBack::give_up_untested(Thread& thread) {
  Object* const object = find(std::exchange(thread.spin.untested, 0));
  if (object == nullptr) return;
  if (thread.spin.untested_add == 0) return give_up(*object);
  for (const Amount& amount : object->amounts)
    if (is_of_others(amount, thread.id)) make_sensitive(site_of(*object, thread.spin.untested_add, amount.amount));
}

void GivenBack::try_out(Thread& thread, const Step& here) {
  LoopTrace& trace = thread.spin;
  Object* const object = find(trace.untested);
  const bool is_asked = object != nullptr && std::any_of(object->amounts.begin(), object->amounts.end(), [&](const Amount& amount) { return is_of_others(amount, thread.id); });
  if (!is_asked || thread.result.next_is_known) {  // (run again: it was tried out before)
    trace.untested = 0;
    return;
  }
  if (trace.count == 0) return;
  const Step& read = trace.steps[static_cast<std::size_t>(trace.count - 1)];
  if (!read.has_outcome || read.call.address != object->address || read.call.size != object->size || read.operation + 1 != here.operation || !may_be_asked(thread, read)) return;
  if (trace.untested_add != 0) try_out_add(thread, *object, read);
  else try_out_read(thread, *object, read);
  trace.untested = 0;
}

void GivenBack::try_out_add(const Thread& thread, Object& object, const Step& read) {
  std::vector<Way> ways;
  for (const Amount& amount : object.amounts) {
    if (!is_of_others(amount, thread.id)) continue;
    Site& site = site_of(object, read.call.site, amount.amount);
    if (site.is_sensitive) continue;
    const std::size_t one = way_of(thread, read, read.outcome.value, ways), two = way_of(thread, read, value_of(read.outcome.value - amount.amount, object.size), ways);
    if (is_same(ways[one], ways[two])) note_insensitive(site);
    else make_sensitive(site);
  }
}

void GivenBack::try_out_read(const Thread& thread, Object& object, const Step& read) {
  std::vector<std::vector<Amount*>> others(static_cast<std::size_t>(program().thread_count()));  // by thread: what it may have taken
  std::size_t sums = 1;
  for (int t = 0; t < program().thread_count(); ++t) {
    std::vector<Amount*>& amounts = others[static_cast<std::size_t>(t)];
    for (Amount& amount : object.amounts)
      if (t != thread.id && !amount.is_refuted && contains(amount.threads, t)) amounts.push_back(&amount);
    sums *= amounts.size() + 1;
    if (sums > kMostSums) return give_up(object);
  }
  std::vector<Way> ways;
  for (std::size_t sum = 1; sum < sums; ++sum) {
    std::vector<Amount*> taken;
    std::uint64_t value = read.outcome.value;
    std::size_t rest = sum;
    for (const std::vector<Amount*>& amounts : others) {
      const std::size_t which = rest % (amounts.size() + 1);
      rest /= amounts.size() + 1;
      if (which == 0) continue;
      taken.push_back(amounts[which - 1]);
      value += amounts[which - 1]->amount;
    }
    for (Amount* amount : taken)
      if (!amount->is_refuted && !is_tolerated(thread, read, value_of(value, object.size), value_of(value - amount->amount, object.size), ways)) refute(*amount);
  }
}

bool GivenBack::is_tolerated(const Thread& thread, const Step& read, std::uint64_t value, std::uint64_t other, std::vector<Way>& ways) {
  const std::size_t one = way_of(thread, read, value, ways);
  if (ways[one].is_stopped) return true;
  const std::size_t two = way_of(thread, read, other, ways);
  return is_same(ways[one], ways[two]);
}

/// (What it accesses on its way may be in a race.)
bool GivenBack::is_same(const Way& one, const Way& other) {
  if (!one.is_known || !other.is_known || one.accesses != other.accesses) return false;
  return one.there.call == other.there.call && has_same_registers(one.there, other.there) && has_same_stack(one.there, other.there);
}

/// Where the thread would be if it had read that value; only if it accesses nothing but its stack on its way.
std::size_t GivenBack::way_of(const Thread& thread, const Step& read, std::uint64_t value, std::vector<Way>& ways) {
  for (std::size_t i = 0; i < ways.size(); ++i)
    if (ways[i].value == value) return i;
  Way& way = ways.emplace_back(Way{.value = value, .accesses = {}, .there = {}});
  const Outcome outcome = outcome_with(read.call, value);
  const bool is_add = read.call.kind == Call::Kind::kRmw;
  way.is_known = (is_add || is_read_only(read.call, outcome)) && Speculation::run(thread, read, outcome) && Speculation::accessed_nothing() && Speculation::accessed_on_stack(way.accesses);
  if (!way.is_known) return ways.size() - 1;
  way.there = Speculation::arrival();
  LoopTrace& trace = const_cast<Thread&>(thread).spin;
  // (Others may have pointers to what it accesses on its stack in a turn that nobody makes.)
  if (is_add || !way.accesses.empty() || has_hidden_code(thread)) return ways.size() - 1;
  way.is_stopped = std::any_of(trace.steps.begin(), trace.steps.begin() + trace.count, [&](const Step& then) {
    if (then.effects != read.effects || then.holds != read.holds || then.time != read.time || then.looks != read.looks) return false;
    return !program().vain_turns().are_made(thread.id, then.call.site) && Speculation::came_to(thread, then);
  });
  return ways.size() - 1;
}

void note_rmw(const Cell& cell, const model::Access& access, model::Value before) {
  using enum model::RmwFunction;
  Thread& thread = *NativeProgram::current;
  GivenBack& given_back = program().given_back();
  const bool is_change = model::value_written(access, before) != before;
  const bool is_add = (access.function == kAdd || access.function == kSub) && cell.size <= sizeof(model::Value);
  const std::uint64_t amount = is_add ? GivenBack::amount_added(access.function, static_cast<std::uint64_t>(access.operand), cell.size) : 0;
  if (given_back.is_watched(cell.address)) [[unlikely]] {
    if (!is_change) note_release(thread, cell.site);
    else if (is_add) note_effect(thread, trace::KeptBy::kReadModifyWrite, cell.site);  // one that may be given back is none of Thread::effects
    else note_written(thread, trace::KeptBy::kReadModifyWrite);
    if (is_add) given_back.note_add(thread, cell.address, cell.site, amount);
    return scrub_stack();
  }
  if (!is_change) return note_release(thread, cell.site);
  note_written(thread, trace::KeptBy::kReadModifyWrite);
  note_change(thread, cell.address, static_cast<std::uint32_t>(cell.size), static_cast<std::uint64_t>(before));
  if (is_add) given_back.look_for_pair(thread, cell.address, static_cast<std::uint32_t>(cell.size), amount);
}

}  // namespace ordeal::runtime
