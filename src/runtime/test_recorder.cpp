#include "runtime/test_recorder.h"

#include <algorithm>
#include <utility>

#include "runtime/native_program.h"
#include "runtime/stacks.h"

namespace ordeal::runtime {

using model::EventKind;
using trace::TraceEvent;

trace::Trace TestRecorder::trace_;
std::vector<std::int32_t> TestRecorder::counts_, TestRecorder::locations_;
std::vector<std::uint32_t> TestRecorder::last_stacks_;
std::uint32_t TestRecorder::latest_stack_ = 0;
std::vector<bool> TestRecorder::created_;
std::vector<int> TestRecorder::followers_;
std::vector<std::vector<TestRecorder::Follower>> TestRecorder::followers_of_;
std::vector<int> TestRecorder::others_;
TestRecorder::Unfinished TestRecorder::unfinished_;
bool TestRecorder::is_useless_ = false;
std::size_t TestRecorder::most_ = kMostEvents;

void TestRecorder::begin(std::size_t most) {
  most_ = most;
  trace_ = {};
  counts_.clear();
  locations_.clear();
  last_stacks_.clear();
  created_.clear();
  followers_.clear();
  followers_of_.clear();
  others_.clear();
  unfinished_ = {};
  is_useless_ = false;
  is_on = true;
}

trace::Trace TestRecorder::end(int threads) {
  finish_write();
  is_on = false;
  if (!followers_.empty()) name_followers(threads);
  if (is_useless_) {
    trace_.events.clear();
    trace_.locations.clear();
    last_stacks_.clear();
  }
  return std::exchange(trace_, {});
}

/// Which of the threads with this number has this event: 0 is the first.
int TestRecorder::which(int thread, std::int32_t index) {
  if (static_cast<std::size_t>(thread) >= followers_of_.size()) return 0;
  const std::vector<Follower>& all = followers_of_[static_cast<std::size_t>(thread)];
  return static_cast<int>(std::upper_bound(all.begin(), all.end(), index, [](std::int32_t place, const Follower& follower) { return place < follower.first; }) - all.begin());
}

int TestRecorder::thread_of(int thread, int which, int threads) {
  return which == 0 ? thread : threads + followers_of_[static_cast<std::size_t>(thread)][static_cast<std::size_t>(which) - 1].thread;
}

/// From now on they are threads of their own.
void TestRecorder::name_followers(int threads) {
  const auto rename = [&](trace::EventName& name) {
    const int found = name.thread < 0 ? 0 : which(name.thread, name.index);
    if (found == 0) return;
    name.index -= followers_of_[static_cast<std::size_t>(name.thread)][static_cast<std::size_t>(found) - 1].first;
    name.thread = thread_of(name.thread, found, threads);
  };
  std::size_t next = 0;  // of others_
  for (TraceEvent& event : trace_.events) {
    rename(event.name);
    if (event.kind == EventKind::kRead || event.kind == EventKind::kWake) rename(event.rf);
    if (event.kind == EventKind::kCreate || event.kind == EventKind::kJoin) event.other = thread_of(event.other, others_[next++], threads);
  }
}

std::int32_t TestRecorder::count(int thread) { return static_cast<std::size_t>(thread) < counts_.size() ? counts_[static_cast<std::size_t>(thread)] : 0; }

TestRecorder::Place TestRecorder::here(int thread) {
  const auto number = static_cast<std::size_t>(thread);
  return {number < followers_of_.size() ? static_cast<int>(followers_of_[number].size()) : 0, count(thread)};
}

trace::EventName TestRecorder::in_trace(int thread, const Place& place, int threads) {
  if (place.which == 0) return {thread, place.events};
  return {thread_of(thread, place.which, threads), place.events - followers_of_[static_cast<std::size_t>(thread)][static_cast<std::size_t>(place.which) - 1].first};
}

void TestRecorder::add_location(sample::Memory::LocationId location, std::uintptr_t address, std::size_t size, model::Value initial, trace::LocationSort sort) {
  if (location >= locations_.size()) locations_.resize(location + 1, -1);
  locations_[location] = static_cast<std::int32_t>(trace_.locations.size());
  trace_.locations.push_back({sort == trace::LocationSort::kFiles ? "files" : "", initial, address, static_cast<std::uint32_t>(size), sort});
  last_stacks_.push_back(0);
}

TraceEvent* TestRecorder::add(int thread, EventKind kind, model::MemoryOrder order, std::uintptr_t site) {
  finish_write();
  if (trace_.events.size() >= most_) is_useless_ = true;
  if (static_cast<std::size_t>(thread) >= counts_.size()) counts_.resize(static_cast<std::size_t>(thread) + 1, 0);
  const std::int32_t index = counts_[static_cast<std::size_t>(thread)]++;
  if (is_useless_) return nullptr;
  TraceEvent& event = trace_.events.emplace_back();
  event.name = {thread, index};
  event.kind = kind;
  event.order = order;
  event.inserted = static_cast<std::uint32_t>(trace_.events.size() - 1);
  latest_stack_ = NativeProgram::instance->stack_here(site);
  event.stack = Stacks::get(latest_stack_);
  return &event;
}

TraceEvent* TestRecorder::add(const Access& access, EventKind kind) {
  TraceEvent* event = add(access.thread, kind, access.order, access.site);
  if (event == nullptr) return nullptr;
  event->location = locations_[access.location];
  event->is_rmw = access.is_rmw;
  last_stacks_[static_cast<std::size_t>(event->location)] = latest_stack_;
  return event;
}

trace::EventName TestRecorder::name_of(const sample::Store& store, std::int32_t location) {
  return store.thread < 0 ? trace::EventName{-1, location} : trace::EventName{store.thread, static_cast<std::int32_t>(store.number)};
}

void TestRecorder::read(const Access& access, const sample::Store& source, bool failed_spuriously) {
  TraceEvent* event = add(access, EventKind::kRead);
  if (event == nullptr) return;
  event->value = source.value;
  event->failed_spuriously = failed_spuriously;
  event->rf = name_of(source, event->location);
}

void TestRecorder::compares(const model::Access& access) {
  if (is_useless_) return;
  TraceEvent& event = trace_.events.back();
  event.expected = access.expected;
  event.otherwise = event.is_rmw ? access.failure_order : access.order;
  event.is_weak = access.is_weak != 0;
}

void TestRecorder::write(const Access& access, model::Value value) {
  if (TraceEvent* event = add(access, EventKind::kWrite); event != nullptr) event->value = value;
}

void TestRecorder::write_unfinished(const Access& access, std::uintptr_t address, std::uint32_t size) {
  if (add(access, EventKind::kWrite) != nullptr) unfinished_ = {trace_.events.size() - 1, address, size};
}

void TestRecorder::finish_write() {
  if (unfinished_.address == 0) return;
  trace_.events[unfinished_.event].value = NativeProgram::instance->location_table().load(unfinished_.address, unfinished_.size);
  unfinished_ = {};
}

void TestRecorder::wake(const Access& access, const sample::Store& source) {
  TraceEvent* event = add(access, EventKind::kWake);
  if (event != nullptr) event->rf = name_of(source, event->location);
}

void TestRecorder::fence(int thread, model::MemoryOrder order, std::uintptr_t site) { add(thread, EventKind::kFence, order, site); }

void TestRecorder::create_or_join(int thread, EventKind kind, int other, std::uintptr_t site) {
  const auto child = static_cast<std::size_t>(other);
  if (kind == EventKind::kCreate) {
    if (child >= created_.size()) created_.resize(child + 1, false);
    if (child >= followers_of_.size()) followers_of_.resize(child + 1);
    if (created_[child]) {
      followers_of_[child].push_back({static_cast<int>(followers_.size()), count(other)});
      followers_.push_back(other);
    }
    created_[child] = true;
  }
  TraceEvent* event = add(thread, kind, model::MemoryOrder::kRelaxed, site);
  if (event == nullptr) return;
  event->other = other;
  others_.push_back(child < followers_of_.size() ? static_cast<int>(followers_of_[child].size()) : 0);
}

void TestRecorder::choice(int thread, model::Value value, model::ChoiceOf about, std::uintptr_t site) {
  if (TraceEvent* event = add(thread, EventKind::kChoice, model::MemoryOrder::kRelaxed, site); event != nullptr) event->value = value, event->about = about;
}

}  // namespace ordeal::runtime
