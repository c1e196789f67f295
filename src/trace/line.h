// The pieces that the text formats of this folder share: quoted strings, numbers and stacks as they are written, and a
// line that is taken apart from left to right. Whatever does not fit ends in a FormatError with the number of the line.
//
//   Lines lines("thread \"main\"\nend\n");
//   Line line = lines.next();                      thread "main"
//   line.expect("thread ", "'thread'");
//   line.quoted("the thread's name in quotes");    main
#pragma once

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace ordeal::trace {

/// The text is not a trace (or a result), or not one that this version reads.
class FormatError : public std::runtime_error {
 public:
  FormatError(int line, const std::string& message)
      : std::runtime_error("line " + std::to_string(line) + ": " + message), line_(line) {}
  int line() const { return line_; }

 private:
  int line_;
};

// --- writing ---------------------------------------------------------------------------------------------------------

/// In quotes; `\"`, `\\`, `\n` and `\x00` … stand for bytes that would be in the way.
void append_quoted(std::string& out, std::string_view text);
/// "0x7f12".
void append_address(std::string& out, std::uint64_t address);
/// "0x7f12,0x40".
void append_stack(std::string& out, const std::vector<std::uint64_t>& stack);
template <class Number>
void append_field(std::string& out, std::string_view field, Number value) {
  (out += field) += std::to_string(value);
}

// --- reading ---------------------------------------------------------------------------------------------------------

class Line {
 public:
  Line(std::string_view rest, int number) : rest_(rest), number_(number) {}
  int number() const { return number_; }

  /// `expected`: what should stand here, in words.
  [[noreturn]] void fail(std::string_view expected) const;
  bool take(std::string_view prefix);
  void expect(std::string_view prefix, std::string_view what);
  void expect_end(std::string_view what) const;
  template <class Number>
  Number number(std::string_view what) {
    Number value{};
    const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), value);
    if (error != std::errc{}) fail(what);
    rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
    return value;
  }
  /// A number from 0 to `bound` - 1.
  std::int32_t number_below(std::size_t bound, std::string_view what);
  /// A number from `least`.
  std::int32_t number_from(std::int32_t least, std::string_view what);
  /// One of `words`, up to a space or the end: its place among them.
  template <class Enum>
  Enum word(std::span<const std::string_view> words, std::string_view what) {
    const std::string_view found = rest_.substr(0, rest_.find(' '));
    const auto at = std::find(words.begin(), words.end(), found);
    if (at == words.end()) fail(what);
    rest_.remove_prefix(found.size());
    return static_cast<Enum>(at - words.begin());
  }
  std::string quoted(std::string_view what);
  std::uint64_t address();
  std::vector<std::uint64_t> stack();

 private:
  char take_character();
  int take_hex_digit();

  std::string_view rest_;
  int number_;
};

/// A text, line by line.
class Lines {
 public:
  explicit Lines(std::string_view text) : rest_(text) {}
  /// Of the line that next() returned last.
  int number() const { return number_; }
  bool is_at_end() const { return rest_.empty(); }
  bool starts_with(std::string_view prefix) const { return rest_.starts_with(prefix); }
  /// REQUIRES nothing: the end of the text is a FormatError, because a line "end" should have come.
  Line next();

 private:
  std::string_view rest_;
  int number_ = 0;
};

/// The first line of a file, `magic` and a version: a FormatError if it is another version or none.
void expect_version(Lines& lines, std::string_view magic, int version, std::string_view what);

}  // namespace ordeal::trace
