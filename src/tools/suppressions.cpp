#include "tools/suppressions.h"

#include <algorithm>
#include <array>
#include <fstream>
#include <stdexcept>
#include <string_view>

#include <fmt/format.h>

#include "symbols/symbols.h"

namespace ordeal::tools {
namespace {

using trace::BugKind;

std::string trimmed(const std::string& text) {
  const auto first = text.find_first_not_of(" \t\r");
  return first == std::string::npos ? "" : text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

bool fits(std::string_view entry, BugKind kind) {
  if (entry == "race" || entry == "race_top" || entry == "called_from_lib") return kind == BugKind::kDataRace || kind == BugKind::kUseAfterFree;
  if (entry == "deadlock") return kind == BugKind::kDeadlock;
  return entry == "mutex" && kind == BugKind::kLockMisuse;
}

std::string module_at(const trace::RunResult& result, trace::CodeAddress address) {
  for (const trace::Module& module : result.modules)
    if (address >= module.base && address < module.end) return module.path;
  return "";
}

}  // namespace

/// As ThreadSanitizer does: anywhere in the name, unless ^ or $ say otherwise.
bool Suppressions::matches(std::string pattern, const std::string& name) {
  const bool from_begin = pattern.starts_with('^');
  if (from_begin) pattern.erase(0, 1);
  const bool to_end = pattern.ends_with('$');
  if (to_end) pattern.pop_back();
  std::size_t at = 0;
  bool is_free = !from_begin;  // the next part may stand anywhere behind `at`
  for (std::size_t begin = 0; begin <= pattern.size();) {
    const std::size_t star = std::min(pattern.find('*', begin), pattern.size());
    const std::string part = pattern.substr(begin, star - begin);
    const bool is_last = star == pattern.size();
    if (is_last && to_end) return is_free ? name.size() >= at + part.size() && name.ends_with(part) : name.substr(at) == part;
    const std::size_t found = is_free ? name.find(part, at) : name.compare(at, part.size(), part) == 0 ? at : std::string::npos;
    if (found == std::string::npos) return false;
    at = found + part.size();
    is_free = true;
    begin = star + 1;
  }
  return true;
}

Suppressions::Suppressions(const std::string& file) : file_(file) {
  constexpr std::array<std::string_view, 7> kKinds{"race", "race_top", "called_from_lib", "deadlock", "mutex", "thread", "signal"};
  std::ifstream lines(file);
  if (!lines) throw std::runtime_error(fmt::format("cannot read the suppressions '{}'", file));
  int number = 0;
  for (std::string text; std::getline(lines, text);) {
    ++number;
    const std::string line = trimmed(text);
    if (line.empty() || line.front() == '#') continue;
    const auto colon = line.find(':');
    const std::string kind = line.substr(0, colon), pattern = colon == std::string::npos ? "" : line.substr(colon + 1);
    if (std::find(kKinds.begin(), kKinds.end(), kind) == kKinds.end() || pattern.empty())
      throw std::runtime_error(fmt::format("{}:{}: '{}' is not understood; a line is KIND:PATTERN, and KIND one of {}", file, number, line, fmt::join(kKinds, ", ")));
    entries_.push_back({kind, pattern});
  }
}

bool Suppressions::suppresses(const Entry& entry, const trace::Bug& bug, symbols::Symbols& symbols, const trace::RunResult& result) const {
  if (!fits(entry.kind, bug.kind)) return false;
  for (const trace::Party& party : bug.parties) {
    for (const trace::CodeAddress address : party.stack) {
      const std::string module = module_at(result, address);
      if (entry.kind == "called_from_lib") {
        if (matches(entry.pattern, module.substr(module.rfind('/') + 1))) return true;
        break;
      }
      for (const symbols::Frame& frame : symbols.frames(address)) {
        if (matches(entry.pattern, frame.function) || matches(entry.pattern, frame.file) || matches(entry.pattern, module)) return true;
        if (entry.kind == "race_top") break;
      }
      if (entry.kind == "race_top") break;
    }
  }
  if (entry.kind != "race" || bug.address == 0) return false;
  const symbols::DataName name = symbols.data(bug.address, bug.size, bug.trace.objects, bug.trace.threads);
  return name.is_variable && matches(entry.pattern, name.name);
}

void Suppressions::apply(trace::RunResult& result) {
  symbols::Symbols symbols(result.modules);
  std::uint64_t all = 0;
  std::erase_if(result.bugs, [&](const trace::Bug& bug) {
    const auto found = std::find_if(entries_.begin(), entries_.end(), [&](const Entry& entry) { return suppresses(entry, bug, symbols, result); });
    if (found == entries_.end()) return false;
    ++found->bugs;
    ++all;
    return true;
  });
  if (all == 0) return;
  result.failed = 0;  // how many executions have shown another is not known
  if (result.verdict == trace::Verdict::kBug && result.bugs.empty())
    result.verdict = result.bounds.empty() ? trace::Verdict::kSampled : trace::Verdict::kBounded;
  std::string which;
  for (const Entry& entry : entries_)
    if (entry.bugs > 0) which += fmt::format("{}{}:{} ({})", which.empty() ? "" : ", ", entry.kind, entry.pattern, entry.bugs);
  result.notes.push_back(fmt::format("{} suppressed by {}: {}", all == 1 ? "1 bug is" : fmt::format("{} bugs are", all), file_, which));
}

std::vector<std::string> suggested_suppressions(const trace::RunResult& result) {
  symbols::Symbols symbols(result.modules);
  std::vector<std::string> lines;
  for (const trace::Bug& bug : result.bugs) {
    const char* kind = bug.kind == BugKind::kDataRace || bug.kind == BugKind::kUseAfterFree ? "race"
                       : bug.kind == BugKind::kDeadlock                                     ? "deadlock"
                       : bug.kind == BugKind::kLockMisuse                                   ? "mutex"
                                                                                            : nullptr;
    if (kind == nullptr || bug.parties.empty() || bug.parties.front().stack.empty()) continue;
    const symbols::Frame frame = symbols.user_frame(bug.parties.front().stack);
    std::string name = !frame.function.empty() ? "^" + frame.function + "$" : frame.file;
    for (std::size_t at = 0; (at = name.find("…", at)) != std::string::npos;) name.replace(at, std::string("…").size(), "*");
    if (name.empty()) continue;
    const std::string line = fmt::format("{}:{}", kind, name);
    if (std::find(lines.begin(), lines.end(), line) == lines.end()) lines.push_back(line);
  }
  return lines;
}

}  // namespace ordeal::tools
