// The place of the parser in the tokens, and how it complains.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "litmus/lexer.h"

namespace ordeal::litmus {

/// How deep blocks, expressions and propositions may be nested. A guard against stack overflow, here and in whatever
/// walks the tree.
constexpr int kMaximumNesting = 200;

class TokenCursor {
 public:
  /// REQUIRES: all three outlive the cursor; `tokens` ends with kEnd.
  TokenCursor(std::string_view text, const std::string& file, const std::vector<Token>& tokens)
      : text_(text), file_(file), tokens_(tokens) {}

  const Token& peek(std::size_t ahead = 0) const;
  const Token& next();
  std::size_t index() const { return index_; }
  void seek(std::size_t index) { index_ = index; }
  Position position() const { return peek().position; }

  /// Whether the name or punctuation `spelling` stands here.
  bool at(std::string_view spelling, std::size_t ahead = 0) const;
  bool at_name(std::size_t ahead = 0) const { return peek(ahead).kind == TokenKind::kName; }
  bool at_number(std::size_t ahead = 0) const { return peek(ahead).kind == TokenKind::kNumber; }
  /// Steps over `spelling` if it stands here.
  bool accept(std::string_view spelling);
  /// Steps over `spelling`; `where` goes on with "expected ';' …". A missing `;` is reported where it should be.
  void expect(std::string_view spelling, std::string_view where);
  /// Steps over a name that is not a word of the language. `what` completes "expected …".
  const Token& expect_name(std::string_view what);
  /// Steps over `[-]number`, and checks that it fits into 64 bits.
  Value expect_number(std::string_view what);
  bool at_signed_number() const { return at_number() || (at("-") && at_number(1)); }

  [[noreturn]] void fail(Position position, std::string message) const;
  [[noreturn]] void fail_here(std::string message) const { fail(position(), std::move(message)); }
  /// "expected …, found 'x'", at the token here.
  [[noreturn]] void fail_expected(std::string_view what) const;

  void note(Position position, std::string message) { notes_.push_back({position, std::move(message)}); }
  const std::vector<Note>& notes() const { return notes_; }

 private:
  std::string_view text_;
  const std::string& file_;
  const std::vector<Token>& tokens_;
  std::size_t index_ = 0;
  std::vector<Note> notes_;
};

/// One more level of nesting while it lives.
class Nesting {
 public:
  Nesting(int& depth, const TokenCursor& cursor, std::string_view what) : depth_(depth) {
    if (depth_ >= kMaximumNesting)
      cursor.fail_here(std::string(what) + " nested too deeply (more than " + std::to_string(kMaximumNesting) +
                       " levels)");
    ++depth_;
  }
  ~Nesting() { --depth_; }
  Nesting(const Nesting&) = delete;
  Nesting& operator=(const Nesting&) = delete;

 private:
  int& depth_;
};

/// If `name` is `P` and a number, that number (or -1 if it is absurdly large); nothing otherwise.
std::optional<int> thread_number(std::string_view name);

/// Whether `name` cannot name a variable or a location.
bool is_reserved(std::string_view name);

}  // namespace ordeal::litmus
