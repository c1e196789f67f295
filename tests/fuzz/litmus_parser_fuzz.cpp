// Any bytes: the parser reads them or throws a ParseError, and what it reads it prints so that it reads the same test back.
//
//   cmake --preset fuzz && cmake --build --preset fuzz --target litmus_parser_fuzz
//   mkdir -p build/corpus
//   build/fuzz/bin/litmus_parser_fuzz -dict=tests/fuzz/litmus_parser.dict build/corpus tests/fuzz/litmus_parser_corpus
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>

#include "litmus/parser.h"
#include "litmus/printer.h"
#include "tests/unit/litmus/dump.h"

namespace {

using namespace ordeal::litmus;

std::optional<Test> try_parse(std::string_view text, const ParseOptions& options) {
  try {
    return parse(text, "fuzz.litmus", options);
  } catch (const ParseError& error) {
    if (error.diagnostic().position.line < 1 || error.diagnostic().position.column < 1) std::abort();
    return std::nullopt;
  }
}

void check(std::string_view text, const ParseOptions& options) {
  const auto test = try_parse(text, options);
  if (!test) return;
  test->observables();
  const std::string printed = to_source(*test);
  try {
    const std::string expected = testing::dump(*test);
    const std::string actual = testing::dump(parse(printed, "printed.litmus"));
    if (actual == expected) return;
    std::fprintf(stderr, "%s\nis printed as\n%s\nand read back as\n%s\n", expected.c_str(), printed.c_str(),
                 actual.c_str());
  } catch (const ParseError& error) {
    std::fprintf(stderr, "%s\nis printed as\n%s\n%s\n", testing::dump(*test).c_str(), printed.c_str(), error.what());
  }
  std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  check(text, {AtomicDereference::kSeqCst});
  check(text, {AtomicDereference::kPlain});
  return 0;
}
