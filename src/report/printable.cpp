#include "report/printable.h"

#include <fmt/format.h>

namespace ordeal::report {
namespace {

bool is_continuation(char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }

/// The length of the well-formed character at the start of the text, 0 if it is none.
std::size_t character_length(std::string_view text) {
  const auto first = static_cast<unsigned char>(text[0]);
  const std::size_t length = first < 0x80                    ? 1
                             : first >= 0xC2 && first < 0xE0 ? 2
                             : first >= 0xE0 && first < 0xF0 ? 3
                             : first >= 0xF0 && first < 0xF5 ? 4
                                                             : 0;
  if (length == 0 || length > text.size()) return 0;
  for (std::size_t i = 1; i < length; ++i)
    if (!is_continuation(text[i])) return 0;
  const auto second = length > 1 ? static_cast<unsigned char>(text[1]) : 0;
  const bool is_overlong = (first == 0xE0 && second < 0xA0) || (first == 0xF0 && second < 0x90);
  const bool is_outside = (first == 0xED && second >= 0xA0) || (first == 0xF4 && second >= 0x90);
  return is_overlong || is_outside ? 0 : length;
}

/// Control characters of Unicode, and those that turn the direction of the text.
bool is_harmful(std::string_view character) {
  if (character.size() == 1) return character[0] < 0x20 || character[0] == 0x7f;
  if (character.size() == 2) return character[0] == '\xC2' && static_cast<unsigned char>(character[1]) < 0xA0;
  const auto starts = [&](std::string_view start, unsigned char low, unsigned char high) {
    const auto last = static_cast<unsigned char>(character.back());
    return character.size() == 3 && character.starts_with(start) && last >= low && last <= high;
  };
  return starts("\xE2\x80", 0xA8, 0xAE) || starts("\xE2\x81", 0xA6, 0xA9);
}

void append_escaped(std::string& out, std::string_view bytes) {
  if (bytes == "\n") {
    out += "\\n";
  } else if (bytes == "\t") {
    out += "\\t";
  } else {
    for (const char c : bytes) out += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
  }
}

std::string escaped(std::string_view text, std::string_view kept) {
  std::string out;
  while (!text.empty()) {
    const std::size_t length = character_length(text);
    const std::string_view character = text.substr(0, length == 0 ? 1 : length);
    const bool is_kept = character.size() == 1 && kept.find(character[0]) != std::string_view::npos;
    if (is_kept || (length != 0 && !is_harmful(character)))
      out += character;
    else
      append_escaped(out, character);
    text.remove_prefix(character.size());
  }
  return out;
}

/// The byte where column `column` begins.
std::size_t byte_of(std::string_view text, std::size_t column) {
  std::size_t at = 0;
  for (; at < text.size(); ++at) {
    if (is_continuation(text[at])) continue;
    if (column-- == 0) break;
  }
  return at;
}

}  // namespace

std::string printable(std::string_view text) { return escaped(text, ""); }

std::string printable_lines(std::string_view text, std::string_view indent) {
  std::string out;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    out += fmt::format("{}{}\n", indent, escaped(text.substr(0, end), "\t"));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return out;
}

std::size_t columns(std::string_view text) {
  std::size_t count = 0;
  for (const char c : text) count += is_continuation(c) ? 0 : 1;
  return count;
}

std::string cut_end(const std::string& text, std::size_t width) {
  return columns(text) <= width ? text : text.substr(0, byte_of(text, width == 0 ? 0 : width - 1)) + "…";
}

std::string cut_start(const std::string& text, std::size_t width) {
  const std::size_t count = columns(text);
  return count <= width ? text : "…" + text.substr(byte_of(text, count - width + 1));
}

std::string padded(const std::string& text, std::size_t width) {
  const std::size_t count = columns(text);
  return count >= width ? text : text + std::string(width - count, ' ');
}

std::string wrapped(std::string_view text, std::string_view first, std::size_t width) {
  const std::string indent(columns(first), ' ');
  std::string out, line(first);
  bool is_empty = true;
  while (!text.empty()) {
    const std::size_t end = text.find(' ');
    const std::string_view word = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    if (!is_empty && columns(line) + 1 + columns(word) > width) {
      out += line + "\n";
      line = indent;
      is_empty = true;
    }
    line += (is_empty ? "" : " ");
    line += word;
    is_empty = false;
  }
  return out + line + "\n";
}

std::string shell_word(std::string_view text) {
  constexpr std::string_view kPlain = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-+./,:=@%";
  if (!text.empty() && text.find_first_not_of(kPlain) == std::string_view::npos) return std::string(text);
  std::string out = "'";
  for (const char letter : text) out += letter == '\'' ? "'\\''" : std::string(1, letter);
  return printable(out + "'");
}

}  // namespace ordeal::report
