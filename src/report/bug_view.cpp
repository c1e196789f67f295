#include "report/bug_view.h"

#include <algorithm>
#include <tuple>

#include <fmt/format.h>

#include "report/printable.h"
#include "report/value_text.h"

namespace ordeal::report {

using model::EventKind;
using trace::TraceEvent;

namespace {

constexpr std::size_t kLongestName = 40;

bool is_access(const TraceEvent& event) { return event.kind == EventKind::kRead || event.kind == EventKind::kWrite; }

bool is_waiting(trace::BugKind kind) {
  return kind == trace::BugKind::kDeadlock || kind == trace::BugKind::kNoProgress;
}

std::string last_part(const std::string& file) { return file.substr(file.rfind('/') + 1); }

bool contains(const trace::TraceObject& object, std::uint64_t address) {
  return address >= object.address && address - object.address < std::max<std::uint64_t>(object.size, 1);
}

/// {} becomes the name; "mutex {}" without one "a mutex", and so for others.
std::string filled(std::string what, const std::string& memory) {
  const std::size_t at = what.find("{}");
  if (at == std::string::npos) return what;
  if (memory.starts_with('\'')) return what.replace(at, 2, memory);
  for (const std::string_view sort : {"mutex", "read-write lock", "semaphore", "barrier"}) {
    const std::size_t size = sort.size() + 1;
    if (at >= size && what.compare(at - size, sort.size(), sort) == 0) return what.replace(at - size, size + 2, "a " + std::string(sort));
  }
  return what.replace(at, 2, memory.empty() ? "memory" : memory);
}

}  // namespace

std::string verb_of(const std::string& what) {
  const std::size_t digit = what.find_first_of("0123456789");
  const bool is_size = digit != std::string::npos && digit > 1 && what[digit - 1] == ' ' &&
                       (what.ends_with(" bytes") || what.ends_with(" byte"));
  return is_size ? what.substr(0, digit - 1) : what;
}

std::string misuse_text(std::string message, const std::string& memory) {
  if (memory.empty()) return message;
  for (const std::string_view sort : {" a mutex", " a spin lock", " a semaphore", " a read-write lock", " a barrier", " a condition variable"}) {
    const std::size_t at = message.find(sort), end = at + sort.size();
    if (at == std::string::npos || !memory.starts_with('\'')) continue;
    constexpr std::string_view kThat = " that ";
    std::string rest = message.substr(end);
    if (rest.starts_with(kThat)) rest = ", which " + rest.substr(kThat.size());
    else if (!rest.empty()) rest = "," + rest;
    return message.substr(0, at + 1) + std::string(sort.substr(3)) + " " + memory + rest;
  }
  return message + ": " + memory;
}

std::string place_text(const SourcePlace& place) {
  if (!place.file.empty()) return fmt::format("{}:{}", printable(place.file), place.line);
  return place.function.empty() ? "" : printable(place.function) + "()";
}

BugView::BugView(const trace::Bug& bug, SourceNames& names)
    : bug_(bug), rows_(bug.trace), message_(printable(bug.message)) {
  for (const std::string& name : bug.trace.threads) threads_.push_back(printable(name));
  for (const trace::Party& party : bug.parties)  // one that did nothing is not in the trace
    while (party.thread >= 0 && static_cast<std::size_t>(party.thread) >= threads_.size() && threads_.size() < 4096)
      threads_.push_back(threads_.empty() ? "main" : fmt::format("thread {}", threads_.size()));
  number_blocks(names);
  name_locations(names);
  name_events(names);
  name_object(names);
  memory_ = memory_at(bug.address, bug.size, names);
  for (const trace::Party& party : bug.parties) {
    parties_.push_back(view(party, names));
    if (parties_.back().event >= 0) texts_.marked.push_back(static_cast<std::size_t>(parties_.back().event));
    else
      add_extra_row(parties_.size() - 1, names);
  }
  for (std::size_t i = 0; bug.kind == trace::BugKind::kNotSc && i < bug.trace.events.size(); ++i)
    if (rows_.is_surprising(i)) texts_.marked.push_back(i);
}

const std::string& BugView::thread(std::int32_t thread) const {
  static const std::string kUnknown = "a thread";
  return thread >= 0 && static_cast<std::size_t>(thread) < threads_.size() ? threads_[static_cast<std::size_t>(thread)]
                                                                           : kUnknown;
}

std::int32_t BugView::location_of(std::uint64_t address) const {
  for (std::size_t l = 0; l < trace().locations.size(); ++l) {
    const trace::TraceLocation& location = trace().locations[l];
    if (location.address != 0 && address >= location.address &&
        address - location.address < std::max(location.size, 1U))
      return static_cast<std::int32_t>(l);
  }
  return -1;
}

std::string BugView::memory_at(std::uint64_t address, std::uint64_t size, SourceNames& names) const {
  if (address == 0) return "";
  const DataName name = names.data(trace(), address, size);
  if (name.is_variable)
    return "'" + printable(name.name) + block_number(address) + "'" + (name.owner.empty() ? "" : " (" + printable(name.owner) + ")");
  return printable(name.description.empty() ? name.name : name.description);
}

/// Blocks of the same type, or from the same place, are numbered: "Node::next #2" is in the second.
void BugView::number_blocks(SourceNames& names) {
  std::map<std::string, std::vector<std::size_t>> alike;
  for (std::size_t i = 0; i < trace().objects.size(); ++i)
    if (!trace().objects[i].allocated.empty())
      alike[names.data(trace(), trace().objects[i].address, SourceNames::kWhole).name].push_back(i);
  block_numbers_.assign(trace().objects.size(), 0);
  for (auto& [name, objects] : alike) {
    std::sort(objects.begin(), objects.end(),
              [&](std::size_t a, std::size_t b) { return trace().objects[a].address < trace().objects[b].address; });
    for (std::size_t i = 0; i < objects.size() && objects.size() > 1; ++i)
      block_numbers_[objects[i]] = static_cast<int>(i) + 1;
  }
}

std::string BugView::block_number(std::uint64_t address) const {
  for (std::size_t i = 0; i < trace().objects.size(); ++i)
    if (block_numbers_[i] != 0 && contains(trace().objects[i], address)) return fmt::format(" #{}", block_numbers_[i]);
  return "";
}

/// The lock and the waiters of a futex have the address of its word, which has four bytes. (Of every lock the first byte may be there.)
const char* BugView::of_futex(const trace::TraceLocation& location) const {
  if (location.sort == trace::LocationSort::kMemory || location.address == 0) return "";
  const bool is_futex = std::any_of(trace().locations.begin(), trace().locations.end(), [&](const trace::TraceLocation& other) {
    return other.sort == trace::LocationSort::kMemory && other.size == 4 && other.address == location.address;
  });
  return !is_futex ? "" : location.sort == trace::LocationSort::kCondition ? "waiters of " : "futex of ";
}

/// Two locations that are accessed never have the same name.
void BugView::name_locations(SourceNames& names) {
  std::map<std::string, int> used;
  std::vector<char> is_accessed(trace().locations.size(), 0);
  for (const TraceEvent& event : trace().events)
    if (event.location >= 0) is_accessed[static_cast<std::size_t>(event.location)] = 1;
  for (const trace::TraceLocation& location : trace().locations) {
    std::string name = location.name;
    types_.emplace_back();
    if (name.empty() && location.address != 0) {
      DataName found = names.data(trace(), location.address, location.size);
      name = std::move(found.name);
      types_.back() = std::move(found.type);
    }
    name = of_futex(location) + cut_end(printable(name), kLongestName) + block_number(location.address);
    const int count = is_accessed[texts_.locations.size()] != 0 ? ++used[name] : 1;  // others are left of other executions
    texts_.locations.push_back(count == 1 ? name : fmt::format("{} #{}", name, count));
    TraceEvent initial;
    initial.location = static_cast<std::int32_t>(texts_.locations.size()) - 1;
    initial.value = location.initial;
    initials_.push_back(value_of(initial, names));
  }
}

/// As the source would write it; of a pointer what it points to.
std::string BugView::value_of(const TraceEvent& event, SourceNames& names) const {
  constexpr model::Value kFirstPointer = 0x10000;
  constexpr std::uint32_t kPointerSize = 8;
  if (event.location < 0) return "";
  const auto number = static_cast<std::size_t>(event.location);
  const std::uint32_t size = trace().locations[number].size;
  const ValueType& type = types_[number];
  const bool may_point = type.kind == ValueType::Kind::kPointer || type.kind == ValueType::Kind::kUnknown;
  if (may_point && size == kPointerSize && event.value >= kFirstPointer)
    return pointer_text(static_cast<std::uint64_t>(event.value), names);
  return value_text(type, event.value, size);
}

std::string BugView::pointer_text(std::uint64_t address, SourceNames& names) const {
  const DataName name = names.data(trace(), address, SourceNames::kWhole);
  if (name.is_variable) return cut_end("&" + printable(name.name), kLongestName) + block_number(address);
  return fmt::format("{:#x}", address);
}

void BugView::name_events(SourceNames& names) {
  std::vector<SourcePlace> places;
  for (const TraceEvent& event : trace().events) {
    places.push_back(names.place(event.stack));
    files_[last_part(places.back().file)].insert(places.back().file);
  }
  for (std::size_t i = 0; i < places.size(); ++i) {
    const TraceEvent& event = trace().events[i];
    std::string place = short_place(places[i]);
    if (place.empty() && event.line != 0) place = fmt::format("line {}", event.line);
    texts_.places.push_back(place);
    texts_.values.push_back(is_access(event) ? value_of(event, names) : "");
  }
  find_sites(places, names);
}

void BugView::find_sites(const std::vector<SourcePlace>& places, SourceNames& names) {
  std::map<std::tuple<std::string, std::uint32_t, std::uint32_t>, int> numbers;
  for (std::size_t i = 0; i < places.size(); ++i) {
    const TraceEvent& event = trace().events[i];
    const bool is_memory = event.location < 0 || trace().locations[static_cast<std::size_t>(event.location)].sort == trace::LocationSort::kMemory;
    const bool has_order = (is_access(event) && event.order != model::MemoryOrder::kPlain) || event.kind == EventKind::kFence;
    const bool is_site = is_memory && has_order && !places[i].file.empty() && names.is_direct(event.stack);
    const std::tuple key(places[i].file, places[i].line, places[i].column);
    sites_.push_back(is_site ? numbers.emplace(key, static_cast<int>(numbers.size())).first->second : -1);
  }
}

std::string BugView::short_place(const SourcePlace& place) const {
  const auto same = files_.find(last_part(place.file));
  const bool is_unique = same == files_.end() || same->second.size() + (same->second.contains(place.file) ? 0 : 1) == 1;
  if (!is_unique) return place_text(place);
  return place_text({place.function, last_part(place.file), place.line, place.column});
}

void BugView::name_object(SourceNames& names) {
  for (const trace::TraceObject& object : trace().objects) {
    if (contains(object, bug_.address) && !object.allocated.empty()) object_ = &object;
  }
  if (object_ == nullptr && !trace().objects.empty() && bug_.address != 0 &&
      (bug_.kind == trace::BugKind::kOutOfBounds || bug_.kind == trace::BugKind::kDoubleFree))
    object_ = &trace().objects.front();
  if (object_ == nullptr) return;
  allocated_ = names.place(object_->allocated);
  object_place_ = short_place(allocated_);
  freed_place_ = short_place(names.place(object_->freed));
  allocation_ = names.calls(object_->allocated);
  end_of_block_ = names.calls(object_->freed);
}

SourcePlace BugView::main_place() const {
  if (!parties_.empty() && !parties_.front().source.file.empty()) return parties_.front().source;
  return allocated_;
}

PartyView BugView::view(const trace::Party& party, SourceNames& names) const {
  PartyView view;
  view.thread = thread(party.thread);
  view.source = names.place(party.stack);
  if (!party.file.empty() && (last_part(party.file) != last_part(view.source.file) || party.line != view.source.line))
    view.source = {"", party.file, party.line, 0};
  view.place = place_text(view.source);
  view.calls = names.calls(party.stack);
  const std::int32_t location = location_of(party.address);  // of a mutex only where it begins is known
  view.memory =
      memory_at(party.address,
                location < 0 ? SourceNames::kWhole : trace().locations[static_cast<std::size_t>(location)].size, names);
  if (party.address != 0 && party.address == bug_.address) view.memory = memory_;
  view.what = frees(party) ? "frees it" : printable(filled(party.what, view.memory));
  view.names_memory = party.what.find("{}") != std::string::npos;
  view.event = event_of(party);
  return view;
}

/// Random testing takes a free for a write of the block.
bool BugView::frees(const trace::Party& party) const {
  if (bug_.kind != trace::BugKind::kDataRace || object_ == nullptr || object_->freed_by != party.thread || !party.what.starts_with("writes ")) return false;
  return !party.stack.empty() && !object_->freed.empty() && party.stack.front() == object_->freed.front();
}

/// Where the runtime has counted, an atomic access is the event at its place, and everything else is none; of litmus tests plain accesses are
/// events, too. Else the last event
/// of the thread with this stack and address, or the last with this address.
std::ptrdiff_t BugView::event_of(const trace::Party& party) const {
  if (party.before >= 0) {
    const std::ptrdiff_t here = rows_.index_of({party.thread, party.before});
    const bool is_litmus = here >= 0 && trace().events[static_cast<std::size_t>(here)].line != 0;
    return party.what.starts_with("atomically ") || bug_.kind == trace::BugKind::kUninitialisedLoad || is_litmus ? here : -1;
  }
  const std::int32_t location = party.address == 0 ? -1 : location_of(party.address);
  std::ptrdiff_t found = -1, second_best = -1;
  for (std::size_t i = 0; i < trace().events.size(); ++i) {
    const TraceEvent& event = trace().events[i];
    if (event.name.thread != party.thread || (location >= 0 && event.location != location)) continue;
    if (!party.stack.empty() && event.stack == party.stack) found = static_cast<std::ptrdiff_t>(i);
    if (location >= 0) second_best = static_cast<std::ptrdiff_t>(i);
  }
  return found >= 0 ? found : second_best;
}

void BugView::add_extra_row(std::size_t party, SourceNames& names) {
  const trace::Party& side = bug_.parties[party];
  if (side.before < 0 || side.thread < 0 || static_cast<std::size_t>(side.thread) >= trace().threads.size()) return;
  const bool is_last_of_thread = rows_.index_of({side.thread, side.before}) < 0;
  const bool is_joined = std::any_of(trace().events.begin(), trace().events.end(), [&](const trace::TraceEvent& event) { return event.kind == model::EventKind::kJoin && event.other == side.thread; });
  const bool is_freed_by_another = object_ != nullptr && object_->freed_by >= 0 && object_->freed_by != side.thread;  // what that one did belongs to it
  const bool is_alone = bug_.parties.size() == 1 && !is_waiting(bug_.kind) && rows_.is_interleaving() && !is_freed_by_another;
  const bool is_last = is_last_of_thread && !is_joined && !is_alone && (party == 0 || is_waiting(bug_.kind));
  const std::string text = extra_text(party, names);
  if (text.empty()) return;
  const bool is_before = bug_.kind == trace::BugKind::kDataRace;  // of two accesses that race the later one is the first party
  texts_.extra.insert(is_before ? texts_.extra.begin() : texts_.extra.end(),
                      {side.thread, is_last ? -1 : side.before, text, short_place(parties_[party].source), static_cast<std::ptrdiff_t>(party)});
}

std::string BugView::extra_text(std::size_t party, SourceNames& names) const {
  using trace::BugKind;
  const std::string& what = parties_[party].what;
  switch (bug_.kind) {
    case BugKind::kAssertion: return "assertion fails";
    case BugKind::kException: return "throws";
    case BugKind::kAbort: return "aborts";
    case BugKind::kSignal: return "crashes";
    case BugKind::kExitCode: return "ends the program";
    case BugKind::kDeadlock:
    case BugKind::kNoProgress: return what.substr(0, what.find(','));
    case BugKind::kDoubleFree:
    case BugKind::kMismatchedFree:
    case BugKind::kInvalidFree: return party > 0 ? "" : bug_.kind == BugKind::kInvalidFree ? "frees it" : "frees the block";
    case BugKind::kLockMisuse: return misuse_text(what, memory_);
    default: break;
  }
  if (what == "ends") return what;
  if (what == "frees it" || what == "allocates it") return what.substr(0, what.find(" it")) + " the block";
  const DataName name = names.data(trace(), bug_.parties[party].address, bug_.size);
  if (name.is_variable) return verb_of(what) + " " + cut_end(printable(name.name), kLongestName) + block_number(bug_.address);
  return bug_.kind == BugKind::kDataRace || verb_of(what) == what ? verb_of(what) + " the memory" : what;  // of a race the bytes that both access
}

}  // namespace ordeal::report
