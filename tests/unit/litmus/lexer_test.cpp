#include <string>

#include <gtest/gtest.h>

#include "parsing.h"

namespace ordeal::litmus::testing {
namespace {

const std::string kRest = "{}\nP0 (int* x) { *x = 1; }\n";

TEST(Header, NameMayContainAnythingButBlanks) {
  EXPECT_EQ(parse_test("C 2+2W+[rel]-sc.x_1\n" + kRest).name, "2+2W+[rel]-sc.x_1");
  EXPECT_EQ(parse_test("\n\n  C   spaced  \t\n" + kRest).name, "spaced");
  EXPECT_EQ(parse_test("C same-line {} P0 () {}").name, "same-line");
}

TEST(Header, FileNameIsKept) { EXPECT_EQ(parse("C t\n" + kRest, "dir/t.litmus").file, "dir/t.litmus"); }

TEST(Header, InfoStringAndMetadataAreReadOver) {
  const std::string header =
      "C t\n\"PodWW Rfe { [x] (* quoted\"\nPrefetch=0:x=F,0:y=W\nCom=Rf Fr {\nGenerator=diy7 (version 7.56)\n"
      "Orig = a b\nCycle-Name=x\n";
  EXPECT_EQ(dump_locations(parse_test(header + kRest)), "i32 x = 0");
}

TEST(Header, InfoStringMayFollowTheName) { EXPECT_EQ(parse_test("C t \"info\"\n" + kRest).name, "t"); }

TEST(Header, CommentsMayStandAnywhere) {
  const std::string text =
      "(* first *) // x\nC t (* a (* nested *) b *)\n/* c */ {(* d *)} // e\n(* f *) P0 /* g */ (int* x (* h *)) { // "
      "i\n"
      "  /* j { */ *x = 1; (* k } *)\n}\n(* l *) exists /* m */ (x=1 (* n *)) // o";
  EXPECT_EQ(dump(parse_test(text)), dump(parse_test("C t\n" + kRest + "exists (x=1)")));
}

TEST(Header, UnicodeIsFineInCommentsAndInfo) {
  EXPECT_EQ(parse_test("\xEF\xBB\xBF"
                       "C t\n\"na\xC3\xAFve\"\nK=\xE2\x86\x92\n(* \xE2\x88\x80 *)" +
                       kRest)
                .name,
            "t");
}

TEST(Header, CarriageReturnsAndTabsAreBlanks) {
  EXPECT_EQ(dump(parse_test("C\tt\r\n{}\r\nP0\t(int*\tx)\r\n{\r\n*x\t=\t1;\r\n}\r\nexists\r\n(x=1)\r\n")),
            dump(parse_test("C t\n{}P0 (int* x) { *x = 1; } exists (x=1)")));
}

TEST(Header, OtherArchitecturesAreNamed) {
  EXPECT_EQ(error_of("AArch64 MP\n{}"),
            "1:1: expected 'C' and the name of the test, found 'AArch64' (only C litmus tests are supported)");
  EXPECT_EQ(error_of(""),
            "1:1: expected 'C' and the name of the test, found end of file (only C litmus tests are supported)");
}

TEST(Header, OldNamesOfTheLanguageAreRead) {
  EXPECT_EQ(dump(parse_test("CPP11 t\n" + kRest)), dump(parse_test("C t\n" + kRest)));
  EXPECT_EQ(dump(parse_test("C11 t\n" + kRest)), dump(parse_test("C t\n" + kRest)));
}

TEST(Header, NameIsNecessary) {
  EXPECT_EQ(error_of("C  \n{}"), "1:4: expected the name of the test after 'C'");
  EXPECT_EQ(error_of("C11\n{}"), "1:4: expected the name of the test after 'C11'");
}

TEST(Header, InitialStateIsNecessary) {
  EXPECT_EQ(error_of("C t\nP0 () {}"), "2:1: expected '{' and the initial state, an info string or a 'Key=value' line");
  EXPECT_EQ(error_of("C t"), "1:4: expected '{' and the initial state, an info string or a 'Key=value' line");
}

TEST(Header, UnclosedInfoStringIsAnError) {
  EXPECT_EQ(error_of("C t\n \"abc\n{}"), "2:2: this info string has no closing '\"'");
}

TEST(Comments, UnclosedOnesAreErrorsWhereTheyStart) {
  EXPECT_EQ(error_of("C t\n{} /* abc\nP0 () {}"), "2:4: this comment has no closing '*/'");
  EXPECT_EQ(error_of("C t\n{} (* (* *)\nP0 () {}"), "2:4: this comment has no closing '*)'");
}

TEST(Comments, ParenthesisAndStarInACodeIsNoComment) {
  EXPECT_EQ(body_of("if (*z == 1) { int r0 = (*v); } (*z)++; /* *) */"),
            "if ((== load[plain](z) 1)) {r0 = load[plain](v)}; store[plain](z, (+ load[plain](z) 1))");
}

TEST(Comments, ParenthesisAndStarInAConditionIsNoCommentIfNoneEnds) {
  EXPECT_EQ(condition_of("exists (*x=1 /\\ *y=2)"), "(and x=1 y=2)");
  EXPECT_EQ(condition_of("(* comment *) exists (*x=1 /\\ *y=2)"), "(and x=1 y=2)");
}

TEST(Comments, NestedCommentsAreLongestInAThread) {
  EXPECT_EQ(body_of("(* one (* two *)\n three *) *z = 1; (*\n*)"), "store[plain](z, 1)");
}

TEST(Numbers, AllSpellingsAreRead) {
  EXPECT_EQ(body_of("r0 = 0x1F + 017 + 0b101 + 10u + 10UL + 10ll + 0; r1 = 0xFFFFFFFFFFFFFFFF;"),
            "r0 = (+ (+ (+ (+ (+ (+ 31 15) 5) 10) 10) 10) 0); r1 = -1");
  EXPECT_EQ(body_of("r0 = 9223372036854775807; r1 = -9223372036854775808; r2 = 18446744073709551615u;"),
            "r0 = 9223372036854775807; r1 = -9223372036854775808; r2 = -1");
}

TEST(Numbers, OutOfRangeIsAnError) {
  EXPECT_EQ(error_in_body("r0 = 9223372036854775808;"), "6: the number is out of range (64 bits)");
  EXPECT_EQ(error_in_body("r0 = -9223372036854775809;"), "6: the number is out of range (64 bits)");
  EXPECT_EQ(error_in_body("r0 = 99999999999999999999999;"), "6: the number is out of range (64 bits)");
  EXPECT_EQ(error_in_body("r0 = 0x10000000000000000;"), "6: the number is out of range (64 bits)");
}

TEST(Numbers, NonsenseIsAnError) {
  EXPECT_EQ(error_in_body("r0 = 12ab;"), "6: expected a number, found '12ab'");
  EXPECT_EQ(error_in_body("r0 = 0x;"), "6: expected a number, found '0x'");
  EXPECT_EQ(error_in_body("r0 = 08;"), "6: expected a number, found '08'");
  EXPECT_EQ(error_in_body("r0 = 1.5;"), "6: unsupported floating-point number");
}

TEST(Characters, AreNumbers) {
  EXPECT_EQ(body_of("r0 = 'a'; r1 = '\\n'; r2 = '\\0'; r3 = '\\''; r4 = '\\x41'; r5 = '\\101'; r6 = '(';"),
            "r0 = 97; r1 = 10; r2 = 0; r3 = 39; r4 = 65; r5 = 65; r6 = 40");
}

TEST(Characters, BadOnesAreErrors) {
  EXPECT_EQ(error_in_body("r0 = '';"), "6: expected a character between quotes");
  EXPECT_EQ(error_in_body("r0 = 'ab';"), "6: expected one character and a closing quote");
  EXPECT_EQ(error_in_body("r0 = '\\q';"), "8: unknown escape in a character");
}

TEST(Characters, UnexpectedBytesAreErrors) {
  EXPECT_EQ(error_in_body("r0 = 1 @ 2;"), "8: unexpected character '@'");
  EXPECT_EQ(error_in_body("r\xC3\xA9 = 1;"), "2: unexpected byte 0xC3");
  EXPECT_EQ(error_in_body("#include <x>"), "1: unsupported preprocessor directive '#include'");
  EXPECT_EQ(error_of(std::string("C t\n{ x\0 }", 10)), "2:4: a NUL byte: this is not a text file");
}

TEST(Diagnostics, ShowTheLineAndACaret) {
  try {
    parse("C t\n{}\nP0 (int* x) {\r\n\t*x = 1\r\n}\n", "dir/t.litmus");
    FAIL();
  } catch (const ParseError& error) {
    EXPECT_STREQ(error.what(),
                 "dir/t.litmus:4:8: error: expected ';' after the statement, found '}'\n    \t*x = 1\n    \t      ^\n");
    EXPECT_EQ(error.diagnostic().source_line, "\t*x = 1");
    EXPECT_EQ(error.diagnostic().file, "dir/t.litmus");
  }
}

TEST(Diagnostics, CutVeryLongLines) {
  try {
    parse_test(with_body("r0 = " + std::string(5000, ' ') + "@" + std::string(5000, ' ')));
    FAIL();
  } catch (const ParseError& error) {
    const std::string text = error.what();
    EXPECT_LT(text.size(), 500U);
    const auto line = text.find('\n') + 1;
    const auto caret = text.find('^');
    EXPECT_EQ(text.find('@', line) - line, caret - (text.find('\n', line) + 1));
  }
}

TEST(Diagnostics, CountAUnicodeCharacterOnce) {
  try {
    parse_test(with_body("/* \xE2\x86\x92 */ @"));
    FAIL();
  } catch (const ParseError& error) {
    EXPECT_NE(std::string(error.what()).find("\n            ^\n"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace ordeal::litmus::testing
