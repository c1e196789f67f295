#include "report/headline.h"

#include <fmt/format.h>

namespace ordeal::report {

using trace::BugKind;

namespace {

std::string behind(const char* before, const std::string& text) { return text.empty() ? "" : before + text; }

/// The first party's, where there is one.
std::string place(const BugView& bug) { return bug.parties().empty() ? "" : behind(" at ", bug.parties()[0].place); }
std::string thread(const BugView& bug) { return bug.parties().empty() ? "" : bug.parties()[0].thread; }
std::string message(const BugView& bug) { return behind(": ", bug.message()); }

/// "writes 4 bytes" → "writes": how many hardly matters where there is a name.
std::string verb(const std::string& what) {
  const std::size_t digit = what.find_first_of("0123456789");
  const bool is_size = digit != std::string::npos && digit > 1 && what[digit - 1] == ' ' &&
                       (what.ends_with(" bytes") || what.ends_with(" byte"));
  return is_size ? what.substr(0, digit - 1) : what;
}

std::string race(const BugView& bug) {
  std::string text = "data race" + behind(" on ", bug.memory());
  const char* separator = ": ";
  for (const PartyView& party : bug.parties()) {
    text += separator + party.thread + " " + verb(party.what) + behind(" at ", party.place);
    separator = ", ";
  }
  return text;
}

/// Who waits for what.
std::string waits(const char* what, const BugView& bug) {
  std::string text = what;
  const char* separator = ": ";
  for (const PartyView& party : bug.parties()) {
    text += separator + party.thread + " " + party.what + behind(" ", party.memory) + behind(" at ", party.place);
    separator = ", ";
  }
  return text + (bug.parties().empty() ? message(bug) : "");
}

/// "use after free: thread 1 reads 'x' at q.cpp:12", or "… reads 4 bytes at q.cpp:12: a block of …".
std::string access(const char* what, const BugView& bug) {
  if (bug.parties().empty()) return what + behind(": ", bug.memory());
  const PartyView& party = bug.parties()[0];
  if (!bug.memory().starts_with('\''))
    return fmt::format("{}: {} {}{}{}", what, party.thread, party.what, place(bug), behind(": ", bug.memory()));
  return fmt::format("{}: {} {} {}{}", what, party.thread, verb(party.what), bug.memory(), place(bug));
}

std::string freeing(const char* what, const BugView& bug) {
  return what + place(bug) + behind(" by ", thread(bug)) + behind(": ", bug.memory());
}

std::string leak(const BugView& bug) {
  if (bug.object() == nullptr) return "leak" + behind(": ", bug.memory()) + message(bug);
  return fmt::format("leak: a block of {} bytes{} is never freed", bug.object()->size,
                     behind(" allocated at ", bug.object_place()));
}

}  // namespace

std::string headline(const BugView& bug) {
  switch (bug.bug().kind) {
    case BugKind::kDataRace: return race(bug);
    case BugKind::kAssertion: return "assertion failed" + place(bug) + message(bug);
    case BugKind::kException: return "uncaught exception" + place(bug) + message(bug);
    case BugKind::kAbort: return "abort" + place(bug) + message(bug);
    case BugKind::kSignal: return "crash" + place(bug) + message(bug);
    case BugKind::kExitCode: return "the program ended with failure" + message(bug);
    case BugKind::kDeadlock: return waits("deadlock", bug);
    case BugKind::kNoProgress: return waits("no progress", bug);
    case BugKind::kUseAfterFree: return access("use after free", bug);
    case BugKind::kDoubleFree: return freeing("double free", bug);
    case BugKind::kInvalidFree: return freeing("free of what was not allocated", bug);
    case BugKind::kOutOfBounds: return access("out of bounds", bug);
    case BugKind::kUninitialisedLoad: return access("load of uninitialised memory", bug);
    case BugKind::kLeak: return leak(bug);
    case BugKind::kLockMisuse:
      return "lock misuse" + place(bug) + behind(" by ", thread(bug)) + message(bug) + behind(" ", bug.memory());
  }
  return "";
}

}  // namespace ordeal::report
