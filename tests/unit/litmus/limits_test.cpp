#include <ctime>
#include <functional>
#include <string>

#include <gtest/gtest.h>

#include "litmus/printer.h"
#include "parsing.h"

namespace ordeal::litmus::testing {
namespace {

std::string repeat(const std::string& text, int count) {
  std::string all;
  for (int index = 0; index < count; ++index) all += text;
  return all;
}

/// The message without the position.
std::string message_of(const std::string& text) {
  const std::string error = error_of(text);
  const auto colon = error.find(": ");
  return colon == std::string::npos ? error : error.substr(colon + 2);
}

constexpr int kFar = 100000;
const std::string kExpressions = "expressions nested too deeply (more than 200 levels)";
const std::string kStatements = "statements nested too deeply (more than 200 levels)";
const std::string kPropositions = "propositions nested too deeply (more than 200 levels)";

TEST(Limits, DeepExpressionsAreErrors) {
  EXPECT_EQ(message_of(with_body("r0 = " + repeat("(", kFar) + "1" + repeat(")", kFar) + ";")), kExpressions);
  EXPECT_EQ(message_of(with_body("r0 = " + repeat("!", kFar) + "1;")), kExpressions);
  EXPECT_EQ(message_of(with_body("r0 = " + repeat("- ", kFar) + "r1;")), kExpressions);
  EXPECT_EQ(message_of(with_body("r0 = 1" + repeat(" + 1", kFar) + ";")), kExpressions);
  EXPECT_EQ(message_of(with_body("r0 = " + repeat("1 ? 2 : ", kFar) + "3;")), kExpressions);
  EXPECT_EQ(message_of(with_body("r0 = " + repeat("atomic_load(", kFar) + "x;")), kExpressions);
  EXPECT_EQ(message_of(with_body("r0 = " + repeat("*", kFar) + "x;")), kExpressions);
  EXPECT_EQ(message_of(with_body("int r1; r0 = " + repeat("(char)", kFar) + "r1;")), kExpressions);
}

TEST(Limits, ManyCastsWithoutEffectAreFine) {
  EXPECT_EQ(body_of("r0 = " + repeat("(int*)", kFar) + "x;"), "r0 = x");
  EXPECT_EQ(body_of("r0 = " + repeat("+", 1) + repeat(" + ", kFar) + "x;"), "r0 = x");
}

TEST(Limits, DeepStatementsAreErrors) {
  EXPECT_EQ(message_of(with_body(repeat("{", kFar))), kStatements);
  EXPECT_EQ(message_of(with_body(repeat("if (1) ", kFar) + ";")), kStatements);
  EXPECT_EQ(message_of(with_body(repeat("if (1) {} else ", kFar) + ";")), kStatements);
  EXPECT_EQ(message_of(with_body(repeat("while (1) ", kFar) + ";")), kStatements);
  EXPECT_EQ(message_of(with_body(repeat("do ", kFar) + ";")), kStatements);
  EXPECT_EQ(message_of(with_body(repeat("for (;;) ", kFar) + ";")), kStatements);
}

TEST(Limits, DeepPropositionsAreErrors) {
  EXPECT_EQ(message_of(with_condition("exists " + repeat("(", kFar) + "x=1")), kPropositions);
  EXPECT_EQ(message_of(with_condition("exists " + repeat("~", kFar) + "x=1")), kPropositions);
  EXPECT_EQ(message_of(with_condition("exists x=1" + repeat(" => x=1", kFar))), kPropositions);
}

TEST(Limits, OtherNestingIsLimitedToo) {
  EXPECT_NE(error_of("C t {} P0 (" + repeat("_Atomic(", kFar) + "int x) {}").find("types nested too deeply"),
            std::string::npos);
  EXPECT_NE(error_of("C t {x=" + repeat("(", kFar) + "1}").find("parentheses nested too deeply"), std::string::npos);
  EXPECT_EQ(parse_test("C t " + repeat("(*", kFar) + repeat("*)", kFar) + "{} P0 () {}").name, "t");
}

TEST(Limits, WhatIsJustDeepEnoughIsPrintedAndReadBack) {
  const auto round_trips = [](const std::string& text) {
    const LitmusTest test = parse_test(text);
    EXPECT_EQ(dump(parse_test(to_source(test))), dump(test));
  };
  round_trips(with_body("r0 = 1" + repeat(" + 1", 198) + ";"));
  round_trips(with_body("r0 = " + repeat("1 - (", 198) + "1" + repeat(")", 198) + ";"));
  round_trips(with_body("r0 = " + repeat("!", 198) + "1;"));
  round_trips(with_body("r0 = " + repeat("*", 198) + "x;"));
  round_trips(with_body("r0 = 1 + " + repeat("1 ? 2 : ", 197) + "3;"));
  round_trips(with_body("r0 = 1" + repeat(" ? 1", 197) + repeat(" : 1", 197) + ";"));
  round_trips(with_body("int r1; r0 = " + repeat("(char)", 66) + "r1;"));
  round_trips(with_body("r0 = " + repeat("atomic_load(", 198) + "x" + repeat(")", 198) + ";"));
  round_trips(with_body("r0 = " + repeat("atomic_compare_exchange_strong(x, (int*)(1 + ", 66) + "1" +
                        repeat("), 1)", 66) + ";"));
  round_trips(with_body(repeat("{", 200) + repeat("}", 200)));
  round_trips(with_body(repeat("if (1) ", 200) + ";"));
  round_trips(with_condition("exists " + repeat("~", 198) + "x=1"));
  round_trips(with_condition("exists x=1" + repeat(" => x=1", 198)));
  round_trips(with_condition("exists " + repeat("(", 198) + "x=1" + repeat(" => x=1)", 198)));
  round_trips(with_condition("exists " + repeat("(x=1 /\\ (y=1 \\/ ", 99) + "x=1" + repeat("))", 99)));
}

TEST(Limits, OneLevelMoreIsAnError) {
  EXPECT_EQ(message_of(with_body("r0 = 1" + repeat(" + 1", 199) + ";")), kExpressions);
  EXPECT_EQ(message_of(with_body("r0 = " + repeat("atomic_compare_exchange_strong(x, (int*)(1 + ", 67) + "1" +
                                 repeat("), 1)", 67) + ";")),
            kExpressions);
  EXPECT_EQ(message_of(with_body(repeat("{", 201) + repeat("}", 201))), kStatements);
  EXPECT_EQ(message_of(with_condition("exists " + repeat("~", 199) + "x=1")), kPropositions);
  EXPECT_EQ(message_of(with_condition("exists x=1" + repeat(" => x=1", 199))), kPropositions);
}

/// Processor time, so that a busy machine does not matter.
double seconds_for(const std::string& text) {
  const std::clock_t start = std::clock();
  error_of(text);
  return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
}

/// Whether eight times the size takes about eight times as long; it would be 64 times if the time were quadratic.
bool is_linear(const std::function<std::string(int)>& make_text) {
  const std::string small = make_text(4000);
  const std::string large = make_text(32000);
  for (int attempt = 0; attempt < 3; ++attempt)
    if (seconds_for(large) < 25 * (seconds_for(small) + 0.001)) return true;
  return false;
}

TEST(Limits, LargeFilesTakeLinearTime) {
  const auto repeated = [](const std::string& before, const std::string& text, const std::string& after) {
    return is_linear([&](int count) { return before + repeat(text, count) + after; });
  };
  const std::string body = with_body("");
  const std::string head = body.substr(0, body.find('\n', body.find("P0")) + 1);
  EXPECT_TRUE(repeated(head + "int a = 1;", "{ int a = 2; r0 = a; }", "}"));
  EXPECT_TRUE(repeated(head, "if (* x) r0 = 1;", "/* *) */ }"));
  EXPECT_TRUE(repeated(head, "(*", "}"));
  EXPECT_TRUE(repeated(with_condition("exists x=1"), " /\\ (y=1 /\\ x=2)", ""));
  EXPECT_TRUE(repeated("C t {", "x;", "}"));
  EXPECT_TRUE(repeated("C t {} ", "(* ", ""));
  EXPECT_TRUE(repeated("C t\n", "K=v\n", "{}"));
  EXPECT_TRUE(repeated("C t {} ", "P0 (int* x) {} ", ""));
  EXPECT_TRUE(is_linear([&](int count) {
    std::string chain = head + "int* r0 = z; ";
    for (int index = count; index > 0; --index)
      chain += "r" + std::to_string(index) + " = r" + std::to_string(index - 1) + ";";
    return chain + "}";
  }));
}

TEST(Limits, LongConditionsAreFlat) {
  const LitmusTest test = parse_test(with_condition("exists x=1" + repeat(" /\\ y=1", kFar)));
  EXPECT_EQ(test.condition.operands.size(), static_cast<std::size_t>(kFar) + 1);
}

}  // namespace
}  // namespace ordeal::litmus::testing
