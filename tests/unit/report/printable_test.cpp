#include "report/printable.h"

#include <gtest/gtest.h>

namespace ordeal::report {
namespace {

TEST(Printable, TextStaysAndControlCharactersAreShown) {
  EXPECT_EQ(printable("plain text, ünï ∥ 線 🙂"), "plain text, ünï ∥ 線 🙂");
  EXPECT_EQ(printable("a\nb\tc\x1b[31m\x7f"), "a\\nb\\tc\\x1b[31m\\x7f");
  EXPECT_EQ(printable(std::string("\0x", 2)), "\\x00x");
  EXPECT_EQ(printable("\xc2\x9b"), "\\xc2\\x9b") << "a control character of 8 bits";
  EXPECT_EQ(printable("\xe2\x80\xae"), "\\xe2\\x80\\xae") << "turns the text around";
}

TEST(Printable, BytesThatAreNoUtf8AreShown) {
  EXPECT_EQ(printable("\xff"), "\\xff");
  EXPECT_EQ(printable("\xc3"), "\\xc3") << "cut off";
  EXPECT_EQ(printable("\xc0\x80"), "\\xc0\\x80") << "too long for a zero";
  EXPECT_EQ(printable("\xe0\x80\x80"), "\\xe0\\x80\\x80");
  EXPECT_EQ(printable("\xed\xa0\x80"), "\\xed\\xa0\\x80") << "half of a pair";
  EXPECT_EQ(printable("\xf4\x90\x80\x80"), "\\xf4\\x90\\x80\\x80");
  EXPECT_EQ(printable("a\xe2\x88z"), "a\\xe2\\x88z");
}

TEST(Printable, LinesStayLines) {
  EXPECT_EQ(printable_lines("a\n\tb\r\n\nc", "| "), "| a\n| \tb\\x0d\n| \n| c\n");
  EXPECT_EQ(printable_lines("", "| "), "");
}

TEST(Printable, WidthIsInCharacters) {
  EXPECT_EQ(columns("µs∥"), 3U);
  EXPECT_EQ(padded("µs", 4), "µs  ");
  EXPECT_EQ(cut_end("äöü", 3), "äöü");
  EXPECT_EQ(cut_end("äöüß", 3), "äö…");
  EXPECT_EQ(cut_start("äöüß", 3), "…üß");
}

TEST(Printable, WordsOfTheShellAreInQuotesIfNeedBe) {
  EXPECT_EQ(shell_word("a-b/c_1.replay"), "a-b/c_1.replay");
  EXPECT_EQ(shell_word("a b&c.replay"), "'a b&c.replay'");
  EXPECT_EQ(shell_word("it's"), "'it'\\''s'");
  EXPECT_EQ(shell_word("ä"), "'ä'");
  EXPECT_EQ(shell_word(""), "''");
}

TEST(Printable, LongTextIsWrapped) {
  EXPECT_EQ(wrapped("one two three", "- ", 10), "- one two\n  three\n");
  EXPECT_EQ(wrapped("averyverylongword x", "  ", 6), "  averyverylongword\n  x\n");
}

}  // namespace
}  // namespace ordeal::report
