#include "runtime/annotations.h"

#include <algorithm>

namespace ordeal::runtime {

bool Annotations::ignores = false;

namespace {

struct CodeRange {
  std::uint32_t begin, end;
};
struct MemoryRange {
  std::uintptr_t begin, end;
};
std::vector<CodeRange> ignored_code;
std::vector<MemoryRange> allowed;
bool met_ignored_code = false, met_ignored_access = false, met_allowed = false;

bool is_ignored_code(std::uint32_t site) {
  return std::any_of(ignored_code.begin(), ignored_code.end(),
                     [&](const CodeRange& range) { return site >= range.begin && site < range.end; });
}

}  // namespace

void Annotations::ignore_code(std::uint32_t begin, std::uint32_t end) { ignored_code.push_back({begin, end}); }
void Annotations::allow_races(std::uintptr_t address, std::size_t size) {
  allowed.push_back({address, address + size});
}

bool Annotations::is_ignored(std::uint32_t site, std::uint32_t other_site, std::uintptr_t address, std::size_t size) {
  if (site == kOrderedSite || other_site == kOrderedSite) return true;
  if (site == kIgnoredSite || other_site == kIgnoredSite) return met_ignored_access = true;
  if (is_ignored_code(site) || is_ignored_code(other_site)) return met_ignored_code = true;
  return std::any_of(allowed.begin(), allowed.end(),
                     [&](const MemoryRange& range) { return address < range.end && address + size > range.begin; }) &&
         (met_allowed = true);
}

void Annotations::reset() { allowed.clear(); }

std::vector<std::string> Annotations::notes() {
  std::vector<std::string> notes;
  if (met_ignored_code)
    notes.emplace_back("races with code of the ignore list are not reported, and what they read is not explored");
  if (met_ignored_access)
    notes.emplace_back(
        "races with accesses that the program asks to ignore (AnnotateIgnoreReads, AnnotateIgnoreWrites) are not "
        "reported, and what they read is not explored");
  if (met_allowed)
    notes.emplace_back(
        "races that the program calls benign (AnnotateBenignRace) are not reported, and what they read is not "
        "explored");
  return notes;
}

}  // namespace ordeal::runtime
