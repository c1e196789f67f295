#include "trace/line.h"

namespace ordeal::trace {
namespace {

constexpr std::string_view kHexDigits = "0123456789abcdef";

}  // namespace

void append_quoted(std::string& out, std::string_view text) {
  out += '"';
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\')
      (out += '\\') += c;
    else if (c == '\n')
      out += "\\n";
    else if (byte < 0x20 || byte == 0x7f)
      (((out += "\\x") += kHexDigits[byte >> 4]) += kHexDigits[byte & 15]);
    else
      out += c;
  }
  out += '"';
}

void append_address(std::string& out, std::uint64_t address) {
  out += "0x";
  int shift = 60;
  while (shift > 0 && address >> shift == 0) shift -= 4;
  for (; shift >= 0; shift -= 4) out += kHexDigits[address >> shift & 15];
}

void append_stack(std::string& out, const std::vector<std::uint64_t>& stack) {
  for (std::size_t i = 0; i < stack.size(); ++i) append_address(i == 0 ? out : out += ',', stack[i]);
}

void Line::fail(std::string_view expected) const {
  constexpr std::size_t kShown = 40;
  std::string message = "expected ";
  message += expected;
  message += ", found ";
  if (rest_.empty())
    message += "the end of the line";
  else
    append_quoted(message, rest_.substr(0, kShown));
  throw FormatError(number_, message);
}

bool Line::take(std::string_view prefix) {
  if (!rest_.starts_with(prefix)) return false;
  rest_.remove_prefix(prefix.size());
  return true;
}

void Line::expect(std::string_view prefix, std::string_view what) {
  if (!take(prefix)) fail(what);
}

void Line::expect_end(std::string_view what) const {
  if (!rest_.empty()) fail(what);
}

std::int32_t Line::number_below(std::size_t bound, std::string_view what) {
  const Line before = *this;
  const auto value = number<std::int32_t>(what);
  if (value < 0 || static_cast<std::size_t>(value) >= bound) before.fail(what);
  return value;
}

std::int32_t Line::number_from(std::int32_t least, std::string_view what) {
  const Line before = *this;
  const auto value = number<std::int32_t>(what);
  if (value < least) before.fail(what);
  return value;
}

std::string Line::quoted(std::string_view what) {
  std::string out;
  expect("\"", what);
  while (!take("\"")) out += take_character();
  return out;
}

std::uint64_t Line::address() {
  constexpr std::string_view kWhat = "an address: 0x and up to 16 digits 0-9, a-f";
  constexpr int kBase = 16;
  const Line before = *this;
  expect("0x", kWhat);
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), value, kBase);
  if (error != std::errc{}) before.fail(kWhat);
  rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
  return value;
}

std::vector<std::uint64_t> Line::stack() {
  std::vector<std::uint64_t> addresses;
  do addresses.push_back(address());
  while (take(","));
  return addresses;
}

char Line::take_character() {
  if (rest_.empty()) fail("'\"' at the end of a string");
  if (!take("\\")) {
    const char c = rest_.front();
    rest_.remove_prefix(1);
    return c;
  }
  if (take("\"")) return '"';
  if (take("\\")) return '\\';
  if (take("n")) return '\n';
  expect("x", "'\"', '\\', 'n' or 'x' behind a backslash");
  const int high = take_hex_digit(), low = take_hex_digit();
  return static_cast<char>(high * 16 + low);
}

int Line::take_hex_digit() {
  const std::size_t digit = rest_.empty() ? std::string_view::npos : kHexDigits.find(rest_.front());
  if (digit == std::string_view::npos) fail("two digits 0-9, a-f behind \\x");
  rest_.remove_prefix(1);
  return static_cast<int>(digit);
}

Line Lines::next() {
  if (rest_.empty()) throw FormatError(number_ + 1, "expected a line 'end', found the end of the text: it was cut off");
  const std::size_t end = rest_.find('\n');
  const std::string_view line = rest_.substr(0, end);
  rest_.remove_prefix(end == std::string_view::npos ? rest_.size() : end + 1);
  return {line, ++number_};
}

void expect_version(Lines& lines, std::string_view magic, int version, std::string_view what) {
  if (!lines.starts_with(magic)) {
    std::string first(magic);
    append_field(first, "", version);
    throw FormatError(lines.number() + 1,
                      "this is not a " + std::string(what) + ": expected the first line '" + first + "'");
  }
  Line line = lines.next();
  line.take(magic);
  const auto found = line.number<std::int32_t>("the number of a format version");
  line.expect_end("the end of the line behind the format version");
  if (found == version) return;
  throw FormatError(line.number(), "the " + std::string(what) + " has format version " + std::to_string(found) +
                                       ", but this is a reader of version " + std::to_string(version) +
                                       (found > version ? ": it needs a newer Ordeal" : ""));
}

}  // namespace ordeal::trace
