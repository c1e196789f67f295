#include "report/headline.h"

#include <algorithm>

#include <fmt/format.h>

namespace ordeal::report {

using trace::BugKind;

namespace {

std::string behind(const char* before, const std::string& text) { return text.empty() ? "" : before + text; }

/// The first party's, where there is one.
std::string place(const BugView& bug) { return bug.parties().empty() ? "" : behind(" at ", bug.parties()[0].place); }
std::string thread(const BugView& bug) { return bug.parties().empty() ? "" : bug.parties()[0].thread; }
std::string message(const BugView& bug) { return behind(": ", bug.message()); }

std::string race(const BugView& bug) {
  const bool has_free = std::any_of(bug.parties().begin(), bug.parties().end(),
                                    [](const PartyView& party) { return party.what == "frees it"; });
  const bool has_end = std::any_of(bug.parties().begin(), bug.parties().end(), [](const PartyView& party) { return party.what == "ends"; });
  std::string text = has_free  ? "use after free (race between free and access)"
                     : has_end ? "use of a local variable of a thread that ends (race between its end and the access)"
                               : "data race";
  text += behind(" on ", bug.memory());
  const char* separator = ": ";
  for (const PartyView& party : bug.parties()) {
    text += separator + party.thread + " " + verb_of(party.what) + behind(" at ", party.place);
    separator = ", ";
  }
  return text;
}

/// "thread 1 waits at q.cpp:12 for mutex 'a', held by main".
std::string waiting(const PartyView& party) {
  constexpr std::string_view kWaits = "waits";
  const std::string what = party.what + (party.names_memory ? "" : behind(" ", party.memory));
  if (!what.starts_with(kWaits)) return party.thread + " " + what + behind(" at ", party.place);
  return fmt::format("{} waits{}{}", party.thread, behind(" at ", party.place), what.substr(kWaits.size()));
}

/// Who waits for what.
std::string waits(const char* what, const BugView& bug) {
  std::string text = what;
  const char* separator = ": ";
  for (const PartyView& party : bug.parties()) {
    text += separator + waiting(party);
    separator = "; ";
  }
  return text + behind(separator, bug.message());
}

/// "use after free: thread 1 reads 'x' at q.cpp:12", or "… reads 4 bytes at q.cpp:12: a block of …".
std::string access(const char* what, const BugView& bug) {
  if (bug.parties().empty()) return what + behind(": ", bug.memory());
  const PartyView& party = bug.parties()[0];
  if (!bug.memory().starts_with('\''))
    return fmt::format("{}: {} {}{}{}", what, party.thread, party.what, place(bug), behind(": ", bug.memory()));
  return fmt::format("{}: {} {} {}{}{}", what, party.thread, verb_of(party.what), bug.memory(), place(bug), message(bug));
}

std::string freeing(const std::string& what, const BugView& bug, const std::string& memory) {
  return what + place(bug) + behind(" by ", thread(bug)) + behind(": ", memory);
}
std::string double_free(const BugView& bug) {
  constexpr std::string_view kStart = ", byte 0";
  const std::string& memory = bug.memory();
  return freeing("double free", bug, memory.ends_with(kStart) ? memory.substr(0, memory.size() - kStart.size()) : memory);
}
/// "a block of 10 bytes …, byte 1" is memory that was allocated, but not there.
std::string invalid_free(const BugView& bug) {
  const std::string& memory = bug.memory();
  const std::size_t byte = memory.rfind(", byte ");
  if (!memory.starts_with("a block of ") || byte == std::string::npos) return freeing("free of what was not allocated", bug, memory);
  return freeing("free of an address inside a block", bug, memory.substr(byte + 2) + " of " + memory.substr(0, byte));
}

std::string leak(const BugView& bug) {
  if (bug.object() == nullptr) return "leak" + behind(": ", bug.memory()) + message(bug);
  return fmt::format("leak: a block of {} bytes{} is never freed{}", bug.object()->size,
                     behind(" allocated at ", bug.object_place()), behind(", ", bug.message()));
}

/// The first read that is surprising in the order of the rows.
std::string not_sc(const BugView& bug) {
  std::string text = "not sequentially consistent: no interleaving of the threads does this";
  for (const std::size_t index : bug.rows().events()) {
    if (!bug.rows().is_surprising(index)) continue;
    const trace::TraceEvent& event = bug.trace().events[index];
    const std::string value = bug.texts().values[index].empty() ? std::to_string(event.value) : bug.texts().values[index];
    return fmt::format("{}; {} reads '{}' = {}{}", text, bug.thread(event.name.thread), bug.texts().locations[static_cast<std::size_t>(event.location)], value,
                       behind(" at ", bug.place(index)));
  }
  return text;
}

}  // namespace

std::string headline(const BugView& bug) {
  switch (bug.bug().kind) {
    case BugKind::kDataRace: return race(bug);
    case BugKind::kAssertion: return "assertion failed" + place(bug) + message(bug);
    case BugKind::kException: return "uncaught exception" + place(bug) + message(bug);
    case BugKind::kAbort: return "abort" + place(bug) + message(bug);
    case BugKind::kSignal: return "crash" + place(bug) + message(bug);
    case BugKind::kExitCode: return "the program ended with failure" + place(bug) + message(bug);
    case BugKind::kDeadlock: return waits("deadlock", bug);
    case BugKind::kNoProgress: return waits("no progress", bug);
    case BugKind::kUseAfterFree: return access("use after free", bug);
    case BugKind::kDoubleFree: return double_free(bug);
    case BugKind::kInvalidFree: return invalid_free(bug);
    case BugKind::kMismatchedFree: return "mismatched free" + place(bug) + behind(" by ", thread(bug)) + message(bug);
    case BugKind::kOutOfBounds: return access("out of bounds", bug);
    case BugKind::kUninitialisedLoad: return access("load of uninitialised memory", bug);
    case BugKind::kLeak: return leak(bug);
    case BugKind::kNotSc: return not_sc(bug);
    case BugKind::kObserver: return "found by the observer " + bug.message();
    case BugKind::kLockMisuse:
      return "lock misuse" + place(bug) + behind(" by ", thread(bug)) + behind(": ", misuse_text(bug.message(), bug.memory()));
  }
  return "";
}

}  // namespace ordeal::report
