// Any bytes: the readers of traces and results read them or throw a FormatError, and what they read comes back when written.
//
//   cmake --preset fuzz && cmake --build --preset fuzz --target run_result_fuzz
//   mkdir -p build/corpus-results && build/fuzz/bin/run_result_fuzz build/corpus-results tests/fuzz/run_result_corpus
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "trace/format.h"
#include "trace/run_result_format.h"

namespace {

using namespace ordeal::trace;

template <class Read>
void check(std::string_view text, Read read_text) {
  try {
    const auto found = read_text(text);
    if (!(read_text(write(found)) == found)) std::abort();
  } catch (const FormatError& error) {
    if (error.line() < 1) std::abort();
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  check(text, [](std::string_view t) { return read(t); });
  check(text, [](std::string_view t) { return read_run_result(t); });
  return 0;
}
