// Cuts a litmus file into tokens.
//
// The header (`C NAME`, formerly `CPP11 NAME`, an info string, `Key=value` lines) is free text and is dealt with here; tokens begin at the
// brace that opens the initial state. Comments are `//`, `/* */` and `(* *)`, which nests. `(*` also occurs in C, as in
// `if (*x == 1)`: inside a thread it opens a comment only if a blank follows, and nowhere if no `*)` comes after it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "litmus/ast.h"

namespace ordeal::litmus {

enum class TokenKind : std::uint8_t { kEnd, kName, kNumber, kString, kPunctuation };

struct Token {
  TokenKind kind = TokenKind::kEnd;
  std::string_view text;  // a part of the file
  Position position;
  std::uint64_t magnitude = 0;  // of a number; a character is a number as well
  bool may_wrap = false;        // a number written in hexadecimal or with `u`: it may use all 64 bits
};

struct TokenizedTest {
  std::string name;
  std::vector<Token> tokens;  // the last one is kEnd
};

/// Throws ParseError. The tokens refer to `text`.
TokenizedTest tokenize(std::string_view text, const std::string& file);

/// "'x'", or "end of file".
std::string describe(const Token& token);

}  // namespace ordeal::litmus
