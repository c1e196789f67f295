#include "report/steps.h"

#include <algorithm>

#include <fmt/format.h>

#include "report/printable.h"

namespace ordeal::report {
namespace {

constexpr std::size_t kLeft = 6, kGap = 2;

std::string trimmed(const std::string& line) {
  constexpr const char* kSpace = " \t\r\n";
  const std::size_t begin = line.find_first_not_of(kSpace);
  return begin == std::string::npos ? "" : line.substr(begin, line.find_last_not_of(kSpace) - begin + 1);
}

SourcePlace place_of(const TableLine& line, const BugView& view, SourceNames& names) {
  if (line.event >= 0) return names.place(view.trace().events[static_cast<std::size_t>(line.event)].stack);
  return line.party >= 0 ? view.parties()[static_cast<std::size_t>(line.party)].source : SourcePlace{};
}

}  // namespace

std::vector<std::string> execution_steps(const BugView& view, SourceNames& names, const ReadLine& read_line) {
  std::vector<std::string> steps;
  if (view.trace().events.empty()) return steps;
  std::size_t width = 0;
  for (std::size_t t = 0; t < view.trace().threads.size(); ++t) width = std::max(width, columns(view.thread(static_cast<std::int32_t>(t))));
  const std::string left(kLeft + width + kGap, ' ');
  for (const TableLine& line : execution_lines(view.trace(), view.texts())) {
    std::string text = fmt::format("{}{:>3}  ", line.is_marked ? ">" : " ", line.letter);
    text += padded(view.thread(static_cast<std::int32_t>(line.thread)), width + kGap) + line.text + "\n";
    if (!line.place.empty()) {
      const SourcePlace place = place_of(line, view, names);
      const std::string code = place.file.empty() ? "" : printable(trimmed(read_line(place.file, place.line)));
      text += left + line.place + (code.empty() ? "" : ": " + code) + "\n";
    }
    steps.push_back(std::move(text));
  }
  return steps;
}

}  // namespace ordeal::report
