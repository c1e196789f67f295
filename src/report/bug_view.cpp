#include "report/bug_view.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "report/printable.h"
#include "report/value_text.h"

namespace ordeal::report {

using model::EventKind;
using trace::TraceEvent;

namespace {

constexpr std::size_t kLongestName = 40;

bool is_access(const TraceEvent& event) { return event.kind == EventKind::kRead || event.kind == EventKind::kWrite; }

}  // namespace

std::string place_text(const SourcePlace& place) {
  if (!place.file.empty()) return fmt::format("{}:{}", printable(place.file), place.line);
  return place.function.empty() ? "" : printable(place.function) + "()";
}

BugView::BugView(const trace::Bug& bug, SourceNames& names)
    : bug_(bug), rows_(bug.trace), message_(printable(bug.message)) {
  for (const std::string& name : bug.trace.threads) threads_.push_back(printable(name));
  for (const trace::Party& party : bug.parties)  // one that did nothing is not in the trace
    while (party.thread >= 0 && static_cast<std::size_t>(party.thread) >= threads_.size() && threads_.size() < 4096)
      threads_.push_back(fmt::format("thread {}", threads_.size()));
  name_locations(names);
  name_events(names);
  name_object(names);
  memory_ = memory_at(bug.address, bug.size, names);
  for (const trace::Party& party : bug.parties) {
    parties_.push_back(view(party, names));
    if (parties_.back().event >= 0) texts_.marked.push_back(static_cast<std::size_t>(parties_.back().event));
  }
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
    return "'" + printable(name.name) + "'" + (name.owner.empty() ? "" : " (" + printable(name.owner) + ")");
  return printable(name.description.empty() ? name.name : name.description);
}

/// Two locations never have the same name: the second block of one allocation site is "Node::next #2".
void BugView::name_locations(SourceNames& names) {
  std::map<std::string, int> used;
  for (const trace::TraceLocation& location : trace().locations) {
    std::string name = location.name;
    types_.emplace_back();
    if (name.empty() && location.address != 0) {
      DataName found = names.data(trace(), location.address, location.size);
      name = std::move(found.name);
      types_.back() = std::move(found.type);
    }
    name = cut_end(printable(name), kLongestName);
    const int count = ++used[name];
    texts_.locations.push_back(count == 1 ? name : fmt::format("{} #{}", name, count));
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
  if (name.is_variable && name.description.empty()) return cut_end("&" + printable(name.name), kLongestName);
  return fmt::format("{:#x}", address);
}

void BugView::name_events(SourceNames& names) {
  for (const TraceEvent& event : trace().events) {
    std::string place = place_text(names.place(event.stack));
    if (place.empty() && event.line != 0) place = fmt::format("line {}", event.line);
    texts_.places.push_back(place);
    texts_.values.push_back(is_access(event) ? value_of(event, names) : "");
  }
}

void BugView::name_object(SourceNames& names) {
  for (const trace::TraceObject& object : trace().objects) {
    const bool has_bug =
        bug_.address >= object.address && bug_.address - object.address < std::max<std::uint64_t>(object.size, 1);
    if (has_bug && !object.allocated.empty()) object_ = &object;
  }
  if (object_ == nullptr && !trace().objects.empty() && bug_.address != 0 &&
      (bug_.kind == trace::BugKind::kOutOfBounds || bug_.kind == trace::BugKind::kDoubleFree))
    object_ = &trace().objects.front();
  if (object_ == nullptr) return;
  object_place_ = place_text(names.place(object_->allocated));
  freed_place_ = place_text(names.place(object_->freed));
}

PartyView BugView::view(const trace::Party& party, SourceNames& names) const {
  PartyView view;
  view.thread = thread(party.thread);
  view.what = printable(party.what);
  view.source = names.place(party.stack);
  view.place = place_text(view.source);
  view.calls = names.calls(party.stack);
  view.memory = memory_at(party.address, SourceNames::kWhole, names);
  if (party.address != 0 && party.address == bug_.address) view.memory = memory_;
  view.event = event_of(party);
  return view;
}

/// The last event of the thread with this stack and address; else the last with this address.
std::ptrdiff_t BugView::event_of(const trace::Party& party) const {
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

}  // namespace ordeal::report
