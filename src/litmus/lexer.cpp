#include "litmus/lexer.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <utility>

#include "litmus/diagnostic.h"

namespace ordeal::litmus {
namespace {

// Longer spellings first.
constexpr std::array<std::string_view, 27> kPunctuation = {
    "<<=", ">>=", "...", "/\\", "\\/", "=>", "==", "!=", "<>", "<=", ">=", "<<", ">>", "&&",
    "||",  "++",  "--",  "+=",  "-=",  "*=", "/=", "%=", "|=", "&=", "^=", "->", "::"};
constexpr std::string_view kSinglePunctuation = "{}()[];:,.?~!+-*/%&|^<>=";

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_name_start(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_name_part(char c) { return is_name_start(c) || is_digit(c); }
bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\f' || c == '\v'; }

int digit_value(char c) {
  if (is_digit(c)) return c - '0';
  if (c >= 'a' && c <= 'z') return c - 'a' + 10;
  if (c >= 'A' && c <= 'Z') return c - 'A' + 10;
  return 99;
}

class Lexer {
 public:
  Lexer(std::string_view text, const std::string& file) : text_(text), file_(file), last_close_(text.rfind("*)")) {}

  TokenizedTest run() {
    refuse_nul_bytes();
    read_name();
    read_header();
    while (read_token()) {
    }
    return std::move(result_);
  }

 private:
  void refuse_nul_bytes();
  void read_name();
  void read_header();
  bool read_metadata_line();
  bool read_token();
  void read_word();
  void read_number();
  void read_character();
  std::uint64_t read_escape();
  void read_string();
  void read_punctuation();
  void skip_blanks_and_comments();
  bool skip_comment();
  void skip_nested_comment();
  bool opens_nested_comment() const;

  char at(std::size_t ahead = 0) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0'; }
  bool at_end() const { return at_ >= text_.size(); }
  bool looking_at(std::string_view spelling) const { return text_.substr(at_, spelling.size()) == spelling; }
  Position here() const { return {line_, static_cast<int>(at_ - line_start_) + 1}; }
  [[noreturn]] void fail(Position position, std::string message) const {
    throw make_error(text_, file_, position, std::move(message));
  }
  void step(std::size_t count = 1) {
    for (; count > 0 && !at_end(); --count)
      if (text_[at_++] == '\n') {
        ++line_;
        line_start_ = at_;
      }
  }
  void skip_line() {
    while (!at_end() && at() != '\n') step();
  }
  /// Adds the token from `start` to here, all on one line.
  Token& add(TokenKind kind, std::size_t start) {
    const Position position{line_, static_cast<int>(start - line_start_) + 1};
    return result_.tokens.emplace_back(Token{kind, text_.substr(start, at_ - start), position, 0, false});
  }

  std::string_view text_;
  const std::string& file_;
  std::size_t at_ = 0;
  int line_ = 1;
  std::size_t line_start_ = 0;
  std::size_t last_close_;  // of the last `*)`, or npos
  int brace_depth_ = 0;
  bool initial_state_read_ = false;
  TokenizedTest result_;
};

void Lexer::refuse_nul_bytes() {
  const auto nul = text_.find('\0');
  if (nul == std::string_view::npos) return;
  step(nul);
  fail(here(), "a NUL byte: this is not a text file");
}

void Lexer::read_name() {
  if (looking_at("\xEF\xBB\xBF")) at_ += 3;
  skip_blanks_and_comments();
  const Position start = here();
  const std::size_t word_start = at_;
  while (!at_end() && !is_blank(at())) step();
  const auto architecture = text_.substr(word_start, at_ - word_start);
  if (architecture != "C" && architecture != "C11" && architecture != "CPP11")
    fail(start, "expected 'C' and the name of the test, found " +
                    (architecture.empty() ? "end of file" : "'" + std::string(architecture.substr(0, 40)) + "'") +
                    " (only C litmus tests are supported)");
  while (at() == ' ' || at() == '\t') step();
  const std::size_t name_start = at_;
  while (!at_end() && !is_blank(at())) step();
  if (at_ == name_start) fail(here(), "expected the name of the test after '" + std::string(architecture) + "'");
  result_.name = text_.substr(name_start, at_ - name_start);
}

void Lexer::read_header() {
  for (;;) {
    skip_blanks_and_comments();
    if (at() == '{') return;
    if (at() == '"') {
      const Position start = here();
      const auto length = text_.substr(at_ + 1).find('"');
      if (length == std::string_view::npos) fail(start, "this info string has no closing '\"'");
      step(length + 2);
    } else if (!read_metadata_line()) {
      fail(here(), "expected '{' and the initial state, an info string or a 'Key=value' line");
    }
  }
}

bool Lexer::read_metadata_line() {
  if (!is_name_start(at())) return false;
  std::size_t end = at_;
  while (end < text_.size() && (is_name_part(text_[end]) || text_[end] == '-')) ++end;
  while (end < text_.size() && (text_[end] == ' ' || text_[end] == '\t')) ++end;
  if (end >= text_.size() || text_[end] != '=') return false;
  skip_line();
  return true;
}

bool Lexer::read_token() {
  skip_blanks_and_comments();
  if (at_end()) {
    add(TokenKind::kEnd, at_);
    return false;
  }
  if (is_name_start(at())) {
    read_word();
  } else if (is_digit(at())) {
    read_number();
  } else if (at() == '\'') {
    read_character();
  } else if (at() == '"') {
    read_string();
  } else {
    read_punctuation();
  }
  return true;
}

void Lexer::read_word() {
  const std::size_t start = at_;
  while (is_name_part(at())) step();
  // `r0#2` is a name that the parser itself gives; it is read back from printed tests.
  while (at() == '#' && is_digit(at(1))) {
    step();
    while (is_digit(at())) step();
  }
  if (text_.substr(start, at_ - start) == "std" && looking_at("::")) {
    step(2);
    return;
  }
  add(TokenKind::kName, start);
}

void Lexer::read_number() {
  const std::size_t start = at_;
  while (is_name_part(at()) || at() == '.') step();
  Token& token = add(TokenKind::kNumber, start);
  std::string_view digits = token.text;
  if (digits.find('.') != std::string_view::npos) fail(token.position, "unsupported floating-point number");
  int base = 10;
  if (digits.size() > 1 && digits[0] == '0') {
    base = digits[1] == 'x' || digits[1] == 'X' ? 16 : digits[1] == 'b' || digits[1] == 'B' ? 2 : 8;
    digits.remove_prefix(base == 8 ? 1 : 2);
  }
  const auto suffix_start =
      std::find_if(digits.begin(), digits.end(), [base](char c) { return digit_value(c) >= base; });
  std::string suffix(suffix_start, digits.end());
  for (char& c : suffix) c = static_cast<char>(c | 0x20);  // to lower case
  const bool is_known = suffix.empty() || suffix == "u" || suffix == "l" || suffix == "ll" || suffix == "ul" ||
                        suffix == "ull" || suffix == "lu" || suffix == "llu";
  const bool has_digits = suffix_start != digits.begin() || base == 8;
  if (!is_known || !has_digits) fail(token.position, "expected a number, found " + describe(token));
  token.may_wrap = base != 10 || suffix.find('u') != std::string::npos;
  for (auto digit = digits.begin(); digit != suffix_start; ++digit) {
    const auto value = static_cast<std::uint64_t>(digit_value(*digit));
    const auto scale = static_cast<std::uint64_t>(base);
    if (token.magnitude > (UINT64_MAX - value) / scale) fail(token.position, "the number is out of range (64 bits)");
    token.magnitude = token.magnitude * scale + value;
  }
}

void Lexer::read_character() {
  const std::size_t start = at_;
  const Position position = here();
  step();
  if (at_end() || at() == '\n' || at() == '\'') fail(position, "expected a character between quotes");
  std::uint64_t value = 0;
  if (at() == '\\') {
    step();
    value = read_escape();
  } else {
    value = static_cast<unsigned char>(at());
    step();
  }
  if (at() != '\'') fail(position, "expected one character and a closing quote");
  step();
  add(TokenKind::kNumber, start).magnitude = value;
}

std::uint64_t Lexer::read_escape() {
  static constexpr std::string_view kLetters = "abfnrtv\\'\"?";
  static constexpr std::string_view kValues = "\a\b\f\n\r\t\v\\'\"?";
  if (const auto index = kLetters.find(at()); !at_end() && index != std::string_view::npos) {
    step();
    return static_cast<unsigned char>(kValues[index]);
  }
  const int base = at() == 'x' ? 16 : 8;
  if (base == 16) step();
  std::uint64_t value = 0;
  if (digit_value(at()) >= base) fail(here(), "unknown escape in a character");
  for (int count = 0; count < 3 && digit_value(at()) < base; ++count, step())
    value = value * static_cast<std::uint64_t>(base) + static_cast<std::uint64_t>(digit_value(at()));
  return value & 0xFF;
}

/// No string means anything in a test; the parser says so where it finds one.
void Lexer::read_string() {
  const std::size_t start = at_;
  const Position position = here();
  do {
    step(at() == '\\' ? 2 : 1);
    if (at_end() || at() == '\n' || line_ != position.line) fail(position, "this string has no closing '\"'");
  } while (at() != '"');
  step();
  add(TokenKind::kString, start);
}

void Lexer::read_punctuation() {
  const std::size_t start = at_;
  const Position position = here();
  for (const auto spelling : kPunctuation)
    if (looking_at(spelling)) {
      step(spelling.size());
      add(TokenKind::kPunctuation, start);
      return;
    }
  if (kSinglePunctuation.find(at()) != std::string_view::npos) {
    if (at() == '{') ++brace_depth_;
    if (at() == '}' && --brace_depth_ == 0) initial_state_read_ = true;
    step();
    add(TokenKind::kPunctuation, start);
    return;
  }
  if (at() == '#') {
    do step();
    while (is_name_part(at()));
    fail(position, "unsupported preprocessor directive '" + std::string(text_.substr(start, at_ - start)) + "'");
  }
  if (at() > ' ' && at() < '\x7f') fail(position, "unexpected character '" + std::string(1, at()) + "'");
  char byte[8];
  std::snprintf(byte, sizeof byte, "0x%02X", static_cast<unsigned>(static_cast<unsigned char>(at())));
  fail(position, "unexpected byte " + std::string(byte));
}

void Lexer::skip_blanks_and_comments() {
  for (;;) {
    if (!at_end() && is_blank(at())) {
      step();
    } else if (!skip_comment()) {
      return;
    }
  }
}

bool Lexer::skip_comment() {
  if (looking_at("//")) {
    skip_line();
    return true;
  }
  if (looking_at("/*")) {
    const auto length = text_.substr(at_ + 2).find("*/");
    if (length == std::string_view::npos) fail(here(), "this comment has no closing '*/'");
    step(length + 4);
    return true;
  }
  if (!opens_nested_comment()) return false;
  skip_nested_comment();
  return true;
}

bool Lexer::opens_nested_comment() const {
  if (!looking_at("(*") || last_close_ == std::string_view::npos || last_close_ < at_ + 2) return false;
  const bool in_thread = initial_state_read_ && brace_depth_ > 0;
  return !in_thread || is_blank(at(2));
}

void Lexer::skip_nested_comment() {
  const Position start = here();
  int depth = 0;
  do {
    if (at_end()) fail(start, "this comment has no closing '*)'");
    if (looking_at("(*")) {
      ++depth;
      step(2);
    } else if (looking_at("*)")) {
      --depth;
      step(2);
    } else {
      step();
    }
  } while (depth > 0);
}

}  // namespace

TokenizedTest tokenize(std::string_view text, const std::string& file) { return Lexer(text, file).run(); }

std::string describe(const Token& token) {
  if (token.kind == TokenKind::kEnd) return "end of file";
  return "'" + std::string(token.text.substr(0, 60)) + "'";
}

}  // namespace ordeal::litmus
