#include "litmus/diagnostic.h"

#include <algorithm>
#include <utility>

namespace ordeal::litmus {
namespace {

constexpr std::size_t kShownWidth = 160;   // bytes of a line that a diagnostic shows
constexpr std::size_t kShownBefore = 100;  // of them before the column, if the line is cut

bool continues_character(char byte) { return (static_cast<unsigned char>(byte) & 0xC0) == 0x80; }

std::string_view line_of(std::string_view text, int line) {
  for (; line > 1; --line) {
    const auto end = text.find('\n');
    if (end == std::string_view::npos) return {};
    text.remove_prefix(end + 1);
  }
  text = text.substr(0, text.find('\n'));
  if (!text.empty() && text.back() == '\r') text.remove_suffix(1);
  return text;
}

/// Blanks that are as wide as `shown` on a terminal: tabs stay, a UTF-8 character counts once.
std::string blanks_for(std::string_view shown) {
  std::string blanks;
  for (const char byte : shown)
    if (!continues_character(byte)) blanks += byte == '\t' ? '\t' : ' ';
  return blanks;
}

}  // namespace

std::string Diagnostic::to_string() const {
  const auto column = static_cast<std::size_t>(std::max(position.column, 1)) - 1;
  std::string_view shown = source_line;
  std::string_view before = shown.substr(0, std::min(column, shown.size()));
  std::string mark;
  if (shown.size() > kShownWidth) {
    const std::size_t start = before.size() > kShownBefore ? before.size() - kShownBefore : 0;
    mark = start > 0 ? "..." : "";
    before.remove_prefix(start);
    shown = shown.substr(start, kShownWidth);
  }
  std::string printable(shown);
  std::replace_if(
      printable.begin(), printable.end(),
      [](char byte) { return (static_cast<unsigned char>(byte) < 0x20 && byte != '\t') || byte == 0x7F; }, '?');
  return file + ":" + std::to_string(position.line) + ":" + std::to_string(position.column) + ": error: " + message +
         "\n    " + mark + printable + "\n    " + blanks_for(mark) + blanks_for(before) + "^\n";
}

ParseError::ParseError(Diagnostic diagnostic) : diagnostic_(std::move(diagnostic)), text_(diagnostic_.to_string()) {}

ParseError make_error(std::string_view text, const std::string& file, Position position, std::string message) {
  return ParseError({file, position, std::move(message), std::string(line_of(text, position.line))});
}

}  // namespace ordeal::litmus
