// Text of the tested program on its way to a terminal: whatever could move the cursor, change a colour or hide text is shown
// as an escape; so are bytes that are no UTF-8.
#pragma once

#include <string>
#include <string_view>

namespace ordeal::report {

/// On one line: "a\x1b[31m\n" becomes `a\x1b[31m\n` in letters.
std::string printable(std::string_view text);
/// The same, but lines stay lines, each behind `indent`, and tabs stay tabs.
std::string printable_lines(std::string_view text, std::string_view indent);
/// As a word of a command for the shell: in quotes if need be.
std::string shell_word(std::string_view text);
/// How many columns it takes: code points. REQUIRES: printable text.
std::size_t columns(std::string_view text);
/// At most `width` columns, with … where something was left out: at the end, or at the start.
std::string cut_end(const std::string& text, std::size_t width);
std::string cut_start(const std::string& text, std::size_t width);
/// Filled up with spaces to `width` columns.
std::string padded(const std::string& text, std::size_t width);
/// Lines of at most `width` columns, the first behind `first`, the others behind as many spaces.
std::string wrapped(std::string_view text, std::string_view first, std::size_t width);

}  // namespace ordeal::report
