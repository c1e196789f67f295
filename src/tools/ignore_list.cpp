#include "tools/ignore_list.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <stdexcept>

#include <fmt/format.h>
#include <fnmatch.h>

#include "symbols/symbols.h"

namespace ordeal::tools {
namespace {

bool matches(const std::string& pattern, const std::string& text) {
  return fnmatch(pattern.c_str(), text.c_str(), FNM_NOESCAPE) == 0;
}

std::string trimmed(const std::string& text) {
  const auto first = text.find_first_not_of(" \t\r");
  return first == std::string::npos ? "" : text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

}  // namespace

IgnoreList::IgnoreList(const std::string& file) {
  std::ifstream lines(file);
  if (!lines) throw std::runtime_error(fmt::format("cannot read the ignore list '{}'", file));
  bool is_ours = true;  // the section
  int number = 0;
  for (std::string text; std::getline(lines, text);) {
    ++number;
    const std::string line = trimmed(text);
    if (line.empty() || line.front() == '#') continue;
    if (line.front() == '[' && line.back() == ']') {
      is_ours = matches(line.substr(1, line.size() - 2), "thread");
      continue;
    }
    const auto colon = line.find(':');
    const std::string kind = line.substr(0, colon), pattern = colon == std::string::npos ? "" : line.substr(colon + 1);
    if ((kind != "fun" && kind != "src") || pattern.empty())
      throw std::runtime_error(
          fmt::format("{}:{}: '{}' is not understood; a line is fun:PATTERN or src:PATTERN", file, number, line));
    if (is_ours) entries_.push_back({kind, pattern});
  }
}

bool IgnoreList::has(const std::string& kind, const std::string& name) const {
  return std::any_of(entries_.begin(), entries_.end(),
                     [&](const Entry& entry) { return entry.kind == kind && matches(entry.pattern, name); });
}

bool IgnoreList::add_places(const trace::RunResult& result) {
  symbols::Symbols symbols(result.modules);
  bool is_new = false;
  for (const trace::Bug& bug : result.bugs) {
    if (bug.kind != trace::BugKind::kDataRace) continue;
    for (const trace::Party& party : bug.parties) {
      if (party.stack.empty() || std::find(places_.begin(), places_.end(), party.stack.front()) != places_.end())
        continue;
      const symbols::Frame& frame = symbols.frames(party.stack.front()).front();
      const std::string path =
          frame.file.empty() ? "" : std::filesystem::absolute(frame.file).lexically_normal().string();
      if (!has_function(frame.function) && !has_source(frame.file) && !has_source(path)) continue;
      places_.push_back(party.stack.front());
      is_new = true;
    }
  }
  return is_new;
}

std::string IgnoreList::option() const {
  std::string text;
  for (const trace::CodeAddress place : places_)
    text += fmt::format("{}{:x}", text.empty() ? ":ignored=" : ",", place & 0xFFFFFFFF);
  return text;
}

}  // namespace ordeal::tools
