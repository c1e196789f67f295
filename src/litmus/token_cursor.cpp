#include "litmus/token_cursor.h"

#include <algorithm>
#include <unordered_set>
#include <utility>

#include "litmus/diagnostic.h"
#include "litmus/source_type.h"

namespace ordeal::litmus {

const Token& TokenCursor::peek(std::size_t ahead) const {
  return tokens_[std::min(index_ + ahead, tokens_.size() - 1)];
}

const Token& TokenCursor::next() {
  const Token& token = peek();
  if (index_ + 1 < tokens_.size()) ++index_;
  return token;
}

bool TokenCursor::at(std::string_view spelling, std::size_t ahead) const {
  const Token& token = peek(ahead);
  return (token.kind == TokenKind::kName || token.kind == TokenKind::kPunctuation) && token.text == spelling;
}

bool TokenCursor::accept(std::string_view spelling) {
  if (!at(spelling)) return false;
  next();
  return true;
}

void TokenCursor::expect(std::string_view spelling, std::string_view where) {
  if (accept(spelling)) return;
  Position position = peek().position;
  if (spelling == ";" && index_ > 0) {
    const Token& previous = tokens_[index_ - 1];
    position = previous.position;
    position.column += static_cast<int>(previous.text.size());
  }
  fail(position, "expected '" + std::string(spelling) + "' " + std::string(where) + ", found " + describe(peek()));
}

const Token& TokenCursor::expect_name(std::string_view what) {
  if (!at_name()) fail_expected(what);
  if (is_reserved(peek().text)) fail_here("expected " + std::string(what) + ", found the keyword " + describe(peek()));
  return next();
}

Value TokenCursor::expect_number(std::string_view what) {
  constexpr std::uint64_t kLargest = INT64_MAX;
  const Position start = position();
  const bool is_negative = accept("-");
  if (!at_number()) fail_expected(what);
  const Token& token = next();
  const bool fits = token.magnitude <= kLargest || (is_negative ? token.magnitude == kLargest + 1 : token.may_wrap);
  if (!fits) fail(start, "the number is out of range (64 bits)");
  return static_cast<Value>(is_negative ? 0 - token.magnitude : token.magnitude);
}

void TokenCursor::fail(Position position, std::string message) const {
  throw make_error(text_, file_, position, std::move(message));
}

void TokenCursor::fail_expected(std::string_view what) const {
  fail_here("expected " + std::string(what) + ", found " + describe(peek()));
}

std::optional<int> thread_number(std::string_view name) {
  if (name.size() < 2 || name[0] != 'P') return std::nullopt;
  name.remove_prefix(1);
  if (!std::all_of(name.begin(), name.end(), [](char c) { return c >= '0' && c <= '9'; })) return std::nullopt;
  if (name.size() > 9) return -1;
  return std::stoi(std::string(name));
}

bool is_reserved(std::string_view name) {
  static const std::unordered_set<std::string_view> kWords = {
      "if",      "else",   "while", "do",    "for",  "break", "continue", "return", "goto",   "switch",    "case",
      "default", "sizeof", "true",  "false", "NULL", "not",   "exists",   "forall", "filter", "locations", "final"};
  return kWords.contains(name) || is_type_word(name);
}

}  // namespace ordeal::litmus
