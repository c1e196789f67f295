// Damages the samples at random: the parser must refuse what it gets with a ParseError or read it, never crash or hang,
// and print what it reads so that it reads it back.
#include <cstdlib>
#include <ctime>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "litmus/printer.h"
#include "parsing.h"
#include "samples.h"

namespace ordeal::litmus::testing {
namespace {

class Mutator {
 public:
  explicit Mutator(std::uint64_t seed) : random_(seed) {}

  std::string next() {
    std::string text(kSamples[below(std::size(kSamples))]);
    for (std::size_t count = 1 + below(3); count > 0; --count) mutate(text);
    return text;
  }

 private:
  std::size_t below(std::size_t bound) { return bound == 0 ? 0 : random_() % bound; }

  void mutate(std::string& text) {
    switch (below(8)) {
      case 0: return flip_byte(text);
      case 1: text.resize(below(text.size() + 1)); return;
      case 2: return text.insert(below(text.size() + 1), part(text)), void();
      case 3: return erase_part(text);
      case 4: return swap_tokens(text);
      case 5: return replace_token(text);
      case 6: return text.insert(below(text.size() + 1), word()), void();
      default: return splice(text);
    }
  }

  void flip_byte(std::string& text) {
    if (!text.empty()) text[below(text.size())] = static_cast<char>(random_());
  }

  std::string part(const std::string& text) {
    const std::size_t start = below(text.size() + 1);
    return text.substr(start, below(60));
  }

  void erase_part(std::string& text) {
    const std::size_t start = below(text.size() + 1);
    text.erase(start, below(30));
  }

  struct Span {
    std::size_t start, length;
  };

  static std::vector<Span> tokens(const std::string& text) {
    const auto is_word = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
    std::vector<Span> all;
    for (std::size_t at = 0; at < text.size();) {
      std::size_t end = at + 1;
      while (is_word(text[at]) && end < text.size() && is_word(text[end])) ++end;
      if (text[at] > ' ') all.push_back({at, end - at});
      at = end;
    }
    return all;
  }

  void swap_tokens(std::string& text) {
    const auto all = tokens(text);
    if (all.size() < 2) return;
    Span first = all[below(all.size())];
    Span second = all[below(all.size())];
    if (first.start > second.start) std::swap(first, second);
    if (first.start == second.start) return;
    const std::string one = text.substr(first.start, first.length);
    const std::string two = text.substr(second.start, second.length);
    text.replace(second.start, second.length, one);
    text.replace(first.start, first.length, two);
  }

  void replace_token(std::string& text) {
    const auto all = tokens(text);
    if (all.empty()) return;
    const Span span = all[below(all.size())];
    text.replace(span.start, span.length, word());
  }

  void splice(std::string& text) {
    const std::string other(kSamples[below(std::size(kSamples))]);
    text = text.substr(0, below(text.size() + 1)) + other.substr(below(other.size() + 1));
  }

  std::string word() {
    static constexpr const char* kWords[] = {
        "int", "atomic_int*", "x",      "r0", "0:r0",  "=",   "==",    "*",      "&",        "(",
        ")",   "{",           "}",      ";",  ",",     "[",   "]",     "/\\",    "~",        "=>",
        "(*",  "*)",          "exists", "if", "while", "for", "else",  "break",  "P0",       "P1",
        "1",   "-1",          "?",      ":",  "++",    "+=",  "(int)", "(bool)", "return",   "&x",
        "*x",  "do",          "'",      "\"", "/*",    "//",  "#",     "&r0",    "_Atomic(", "99999999999999999999"};
    return kWords[below(std::size(kWords))];
  }

  std::mt19937_64 random_;
};

double scale() {
  const char* text = std::getenv("ORDEAL_TEST_SCALE");
  return text == nullptr ? 1 : std::atof(text);
}

TEST(Mutations, AreReadOrRefusedNeverMore) {
  const int count = std::max(200, static_cast<int>(20000 * scale()));
  const std::clock_t start = std::clock();
  int read = 0;
  for (int seed = 0; seed < count; ++seed) {
    const std::string text = Mutator(static_cast<std::uint64_t>(seed)).next();
    SCOPED_TRACE("seed " + std::to_string(seed) + "\n" + text);
    try {
      const LitmusTest test = parse_test(text);
      ++read;
      const std::string printed = to_source(test);
      ASSERT_EQ(dump(parse_test(printed)), dump(test)) << printed;
    } catch (const ParseError& error) {
      ASSERT_FALSE(error.diagnostic().message.empty());
      ASSERT_GE(error.diagnostic().position.line, 1);
      ASSERT_GE(error.diagnostic().position.column, 1);
      ASSERT_EQ(error.diagnostic().file, "test.litmus") << "a printed test was refused";
    }
  }
  EXPECT_GT(read, count / 50) << "the mutations destroy too much to test anything";
  const double seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
  EXPECT_LT(seconds / count, 0.01) << "of processor time for one input";
}

}  // namespace
}  // namespace ordeal::litmus::testing
