// Races of random testing: the shadow knows who was there last; the execution is run again for where exactly, and with which calls.
#include "agent/tester.h"

#include <algorithm>
#include <string>
#include <utility>

#include "agent/output.h"
#include "runtime/layout.h"
#include "runtime/race_shadow.h"
#include "runtime/testing.h"

namespace ordeal::agent {

using runtime::Failure;
using runtime::Testing;

namespace {

std::string describe(const runtime::RaceAccess& access, std::uintptr_t address) {
  if (access.is_free) return runtime::is_stack(address) ? "ends" : "frees it";
  if (access.is_allocation) return "allocates it";
  return std::string(access.is_atomic ? "atomically " : "") + (access.is_write ? "writes " : "reads ") + std::to_string(access.size) + (access.size == 1 ? " byte" : " bytes");
}

}  // namespace

void Tester::judge_races(std::uint64_t number, std::vector<Testing::Race> races) {
  for (const Testing::Race& race : races) {
    const Failure failure = failure_of(race);
    if (is_new(failure, number) && !is_left_for_later({Again::Sort::kRace, bug_, race}, failure, number)) show_race(race, number);
  }
}

Failure Tester::failure_of(const Testing::Race& race) {
  Failure failure;
  failure.kind = trace::BugKind::kDataRace;
  failure.address = race.address;
  failure.size = race.size;
  failure.sides.push_back({race.access.thread, describe(race.access, race.address), race.address, race.stack, race.access.site});
  failure.sides.push_back({race.other.thread, describe(race.other, race.address), race.address, 0, race.other.site});
  return failure;
}

void Tester::show_race(Testing::Race race, std::uint64_t number) {
  std::string printed = Output::text();
  find_stacks(race, number);
  const bool is_there = race.stack != 0;
  if (!is_there && bug_ < result_.bugs.size()) return;  // it went another way: what is known already is of an execution that has the race
  if (!is_there) recorded_ = {};
  Failure failure = failure_of(race);
  failure.sides[0].stack = race.stack;
  failure.sides[1].stack = race.other_stack;
  const auto set_place = [](Failure::Side& side, const runtime::TestRecorder::Place& place) { side.clock = place.events, side.which = place.which; };
  set_place(failure.sides[0], race.place);
  set_place(failure.sides[1], Testing::watched_place());
  add_bug(failure, number);
  if (!is_there) result_.bugs[bug_].output = std::move(printed);
}

/// Runs the execution again: this time the stack of the earlier access is looked at. (Stacks are numbered anew.)
void Tester::find_stacks(Testing::Race& race, std::uint64_t number) {
  Testing::watch(race);
  record(number);
  race.stack = 0;
  race.other_stack = Testing::watched_stack();
  race.other.site = Testing::watched_site();
  Testing::stop_watching();
  for (const Testing::Race& again : Testing::races())
    if (again.access.site == race.access.site && again.address == race.address) race.stack = again.stack, race.place = again.place;
  if (race.stack == 0 || race.other_stack == 0) note_difference();
  if (race.other_stack != 0) set_common(race);
}

/// The shadow has accesses of one thread in one tick as one: only now it is known which bytes the one that was found has.
void Tester::set_common(Testing::Race& race) {
  race.other.size = static_cast<std::uint32_t>(Testing::found_size());
  race.other.is_allocation = Testing::found_allocation();
  const std::uintptr_t end = std::min(race.address + race.size, Testing::found_address() + Testing::found_size());
  race.address = std::max(race.address, Testing::found_address());
  race.size = end - race.address;
}

}  // namespace ordeal::agent
