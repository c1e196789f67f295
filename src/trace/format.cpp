#include "trace/format.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <span>

namespace ordeal::trace {

using model::EventKind;

namespace {

// Aligned with the enumerations.
constexpr std::array<std::string_view, 8> kKinds{"read", "write", "fence", "create", "join", "choice", "note", "wake"};
constexpr std::array<std::string_view, 6> kOrders{"plain", "relaxed", "acquire", "release", "acq_rel", "seq_cst"};
constexpr std::array<std::string_view, 2> kEndings{"complete", "blocked"};
constexpr std::string_view kMagic = "ordeal-trace ";
constexpr std::string_view kHexDigits = "0123456789abcdef";

bool is_access(const TraceEvent& event) { return event.kind == EventKind::kRead || event.kind == EventKind::kWrite; }
bool names_a_write(const TraceEvent& event) { return event.kind == EventKind::kRead || event.kind == EventKind::kWake; }

// --- writing ---------------------------------------------------------------------------------------------------------

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

void append_name(std::string& out, const EventName& name) {
  out += name.thread < 0 ? "initial" : std::to_string(name.thread);
  (out += '.') += std::to_string(name.index);
}

template <class Number>
void append_field(std::string& out, std::string_view field, Number value) {
  (out += field) += std::to_string(value);
}

void append_event(std::string& out, const TraceEvent& event) {
  append_name(out += "event ", event.name);
  (out += ' ') += kKinds.at(static_cast<std::size_t>(event.kind));
  (out += ' ') += kOrders.at(static_cast<std::size_t>(event.order));
  append_field(out, " inserted=", event.inserted);
  if (event.location != -1) append_field(out, " location=", event.location);
  if (event.value != 0) append_field(out, " value=", event.value);
  if (event.rf != EventName{}) append_name(out += " rf=", event.rf);
  if (event.mo_position != 0) append_field(out, " mo=", event.mo_position);
  if (event.line != 0) append_field(out, " line=", event.line);
  if (event.is_rmw) out += " rmw";
  if (event.failed_spuriously) out += " spurious";
  if (event.woken != -1) append_field(out, " woken=", event.woken);
  out += '\n';
}

// --- one line --------------------------------------------------------------------------------------------------------

/// Takes a line apart from left to right.
class Line {
 public:
  Line(std::string_view rest, int number) : rest_(rest), number_(number) {}
  int number() const { return number_; }

  [[noreturn]] void fail(std::string_view expected) const {
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
  bool take(std::string_view prefix) {
    if (!rest_.starts_with(prefix)) return false;
    rest_.remove_prefix(prefix.size());
    return true;
  }
  void expect(std::string_view prefix, std::string_view what) {
    if (!take(prefix)) fail(what);
  }
  void expect_end(std::string_view what) const {
    if (!rest_.empty()) fail(what);
  }
  template <class Number>
  Number number(std::string_view what) {
    Number value{};
    const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), value);
    if (error != std::errc{}) fail(what);
    rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
    return value;
  }
  /// A number from 0 to `bound` - 1.
  std::int32_t number_below(std::size_t bound, std::string_view what) {
    const Line before = *this;
    const auto value = number<std::int32_t>(what);
    if (value < 0 || static_cast<std::size_t>(value) >= bound) before.fail(what);
    return value;
  }
  /// A number from 1.
  std::int32_t position(std::string_view what) {
    const Line before = *this;
    const auto value = number<std::int32_t>(what);
    if (value < 1) before.fail(what);
    return value;
  }
  /// One of `words`, up to a space or the end: its place among them.
  template <class Enum>
  Enum word(std::span<const std::string_view> words, std::string_view what) {
    const std::string_view found = rest_.substr(0, rest_.find(' '));
    const auto at = std::find(words.begin(), words.end(), found);
    if (at == words.end()) fail(what);
    rest_.remove_prefix(found.size());
    return static_cast<Enum>(at - words.begin());
  }
  std::string quoted(std::string_view what) {
    std::string out;
    expect("\"", what);
    while (!take("\"")) out += take_character();
    return out;
  }

 private:
  char take_character() {
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
  int take_hex_digit() {
    const std::size_t digit = rest_.empty() ? std::string_view::npos : kHexDigits.find(rest_.front());
    if (digit == std::string_view::npos) fail("two digits 0-9, a-f behind \\x");
    rest_.remove_prefix(1);
    return static_cast<int>(digit);
  }

  std::string_view rest_;
  int number_;
};

// --- reading ---------------------------------------------------------------------------------------------------------

class Reader {
 public:
  explicit Reader(std::string_view text) : rest_(text) {}

  Trace read() {
    read_version();
    read_header();
    Line line = next_line();
    for (; line.take("thread "); line = next_line()) {
      trace_.threads.push_back(line.quoted("the thread's name in quotes"));
      line.expect_end("the end of the line behind the thread's name");
    }
    for (; line.take("location "); line = next_line()) read_location(line);
    first_event_line_ = line.number();
    by_thread_.resize(trace_.threads.size());
    for (; line.take("event "); line = next_line()) read_event(line);
    line.expect("end", trace_.events.empty() ? "'thread', 'location', 'event' or 'end'" : "'event' or 'end'");
    line.expect_end("the end of the line behind 'end'");
    if (!rest_.empty()) throw FormatError(number_ + 1, "expected nothing behind 'end'");
    check_sources();
    check_insertion();
    return std::move(trace_);
  }

 private:
  Line next_line() {
    if (rest_.empty())
      throw FormatError(number_ + 1, "expected a line 'end', found the end of the text: it was cut off");
    const std::size_t end = rest_.find('\n');
    const std::string_view line = rest_.substr(0, end);
    rest_.remove_prefix(end == std::string_view::npos ? rest_.size() : end + 1);
    return {line, ++number_};
  }

  void read_version() {
    if (!rest_.starts_with(kMagic))
      throw FormatError(1, "this is not a trace: expected the first line 'ordeal-trace 1'");
    Line line = next_line();
    line.take(kMagic);
    const auto version = line.number<std::int32_t>("the number of a format version");
    line.expect_end("the end of the line behind the format version");
    if (version == kFormatVersion) return;
    throw FormatError(1, "the trace has format version " + std::to_string(version) +
                             ", but this is a reader of version " + std::to_string(kFormatVersion) +
                             (version > kFormatVersion ? ": it needs a newer Ordeal" : ""));
  }

  void read_header() {
    Line program = next_line();
    program.expect("program ", "'program'");
    trace_.program = program.quoted("the program's name in quotes");
    program.expect_end("the end of the line behind the program's name");
    Line model = next_line();
    model.expect("model ", "'model'");
    trace_.model = model.quoted("the model's name in quotes");
    model.expect_end("the end of the line behind the model's name");
    Line ending = next_line();
    ending.expect("ending ", "'ending'");
    trace_.ending = ending.word<engine::Ending>(kEndings, "'complete' or 'blocked'");
    ending.expect_end("the end of the line behind the ending");
  }

  void read_location(Line& line) {
    TraceLocation location;
    location.name = line.quoted("the location's name in quotes");
    line.expect(" ", "a space and the initial value");
    location.initial = line.number<model::Value>("the initial value, a number of 64 bits");
    line.expect_end("the end of the line behind the initial value");
    trace_.locations.push_back(std::move(location));
  }

  void read_event(Line& line) {
    TraceEvent event;
    event.name.thread = line.number_below(trace_.threads.size(), "the number of one of the threads");  // F1
    std::vector<std::size_t>& events = by_thread_[static_cast<std::size_t>(event.name.thread)];
    event.name.index = static_cast<std::int32_t>(events.size());
    line.expect("." + std::to_string(events.size()) + " ",
                "'." + std::to_string(events.size()) + "', the next event of its thread");
    event.kind = line.word<EventKind>(kKinds, "read, write, fence, create, join, choice, note or wake");
    line.expect(" ", "a space and the memory order");
    event.order = line.word<model::MemoryOrder>(kOrders, "plain, relaxed, acquire, release, acq_rel or seq_cst");
    line.expect(" inserted=", "' inserted='");
    event.inserted = line.number<std::uint32_t>("the event's place in insertion order");
    read_fields(line, event);
    events.push_back(trace_.events.size());
    trace_.events.push_back(event);
  }

  void read_fields(Line& line, TraceEvent& event) {
    if (is_access(event) || names_a_write(event)) {  // F2
      line.expect(" location=", "' location=', because this event is an access");
      event.location = line.number_below(trace_.locations.size(), "the number of one of the locations");
    }
    if (line.take(" value=")) event.value = line.number<model::Value>("a value of 64 bits");
    if (names_a_write(event)) {  // F3
      line.expect(" rf=", "' rf=', because this event is a read");
      event.rf = read_source(line);
    }
    if (event.kind == EventKind::kWrite && line.take(" mo="))
      event.mo_position = line.position("a position in modification order");
    if (line.take(" line=")) event.line = line.number<std::uint32_t>("the number of a line in the source");
    event.is_rmw = is_access(event) && line.take(" rmw");
    event.failed_spuriously = event.kind == EventKind::kRead && line.take(" spurious");
    if (event.kind == EventKind::kRead && line.take(" woken="))  // F5
      event.woken = line.number_below(64, "the number of a bit, 0 to 63");
    line.expect_end(
        "another field of such an event (in the order value, rf, mo, line, rmw, spurious, woken) or the end of the line");
  }

  EventName read_source(Line& line) const {
    EventName source;
    if (!line.take("initial"))
      source.thread = line.number_below(trace_.threads.size(), "'initial' or the number of one of the threads");
    line.expect(".", "'.' behind the thread");
    source.index = line.number<std::int32_t>("a number behind '.'");
    return source;
  }

  // F3. The source may stand behind the read: not in what is written today, but in load buffering.
  void check_sources() const {
    for (std::size_t i = 0; i < trace_.events.size(); ++i) {
      const TraceEvent& event = trace_.events[i];
      if (names_a_write(event) && !is_write_to(event.rf, event.location))
        fail_event(i, "expected an rf that names a write to the same location");
    }
  }
  bool is_write_to(const EventName& name, std::int32_t location) const {
    if (name.thread < 0) return name.index == location;
    const std::vector<std::size_t>& events = by_thread_[static_cast<std::size_t>(name.thread)];
    if (name.index < 0 || static_cast<std::size_t>(name.index) >= events.size()) return false;
    const TraceEvent& source = trace_.events[events[static_cast<std::size_t>(name.index)]];
    return source.kind == EventKind::kWrite && source.location == location;
  }

  void check_insertion() const {  // F4
    std::vector<char> is_used(trace_.events.size(), 0);
    for (std::size_t i = 0; i < trace_.events.size(); ++i) {
      const std::uint32_t place = trace_.events[i].inserted;
      if (place >= is_used.size()) fail_event(i, "expected an inserted= below the number of events");
      if (is_used[place] != 0) fail_event(i, "expected an inserted= that no other event has");
      is_used[place] = 1;
    }
  }
  [[noreturn]] void fail_event(std::size_t event, const char* message) const {
    throw FormatError(first_event_line_ + static_cast<int>(event), message);
  }

  std::string_view rest_;
  int number_ = 0;
  int first_event_line_ = 0;
  Trace trace_;
  std::vector<std::vector<std::size_t>> by_thread_;  // thread, index → place in trace_.events
};

}  // namespace

std::string write(const Trace& trace) {
  std::string out;
  append_field(out, kMagic, kFormatVersion);
  append_quoted(out += "\nprogram ", trace.program);
  append_quoted(out += "\nmodel ", trace.model);
  ((out += "\nending ") += kEndings.at(static_cast<std::size_t>(trace.ending))) += '\n';
  for (const std::string& thread : trace.threads) {
    append_quoted(out += "thread ", thread);
    out += '\n';
  }
  for (const TraceLocation& location : trace.locations) {
    append_quoted(out += "location ", location.name);
    append_field(out, " ", location.initial);
    out += '\n';
  }
  for (const TraceEvent& event : trace.events) append_event(out, event);
  return out += "end\n";
}

Trace read(std::string_view text) { return Reader(text).read(); }

}  // namespace ordeal::trace
