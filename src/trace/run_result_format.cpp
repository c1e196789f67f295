#include "trace/run_result_format.h"

#include <array>
#include <charconv>
#include <cmath>

#include "trace/format.h"
#include "trace/trace_reader.h"

namespace ordeal::trace {
namespace {

// Aligned with the enumerations.
constexpr std::array<std::string_view, 5> kVerdicts{"verified", "sampled", "bug", "bounded", "cannot-check"};
constexpr std::array<std::string_view, 18> kBugKinds{
    "data-race",    "assertion",     "exception",          "abort",          "signal",
    "exit-code",    "deadlock",      "no-progress",        "use-after-free", "double-free",
    "invalid-free", "out-of-bounds", "uninitialised-load", "leak",           "lock-misuse",
    "mismatched-free", "not-sc", "observer"};
constexpr std::array<std::string_view, 4> kKeptOperations{"load", "read-modify-write", "compare-exchange", "call"};
constexpr std::array<std::string_view, 24> kKeptBy{
    "store",       "read-modify-write", "compare-exchange", "writes-shown", "allocation", "free",
    "large-write", "wake-up",           "woken",            "input-output", "system",     "acquire",
    "seq-cst",     "barrier",           "hidden-code",      "unknown-code", "race",       "lock",
    "spurious-failure", "held-lock",    "clock",            "plain-write",  "own-state",  "load-buffering"};
static_assert(static_cast<std::size_t>(KeptBy::kLoadBuffering) + 1 == kKeptBy.size());
constexpr std::string_view kMagic = "ordeal-result ";

// --- writing ---------------------------------------------------------------------------------------------------------

void append_line(std::string& out, std::string_view keyword, std::string_view text) {
  append_quoted((out += keyword) += ' ', text);
  out += '\n';
}

void append_lines(std::string& out, std::string_view keyword, const std::vector<std::string>& texts) {
  for (const std::string& text : texts) append_line(out, keyword, text);
}

void append_seconds(std::string& out, double seconds) {
  constexpr std::size_t kLongest = 32;
  std::array<char, kLongest> digits{};
  const bool is_sane = std::isfinite(seconds) && seconds >= 0;  // R1
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), is_sane ? std::abs(seconds) : 0.0).ptr;
  (out += "seconds ").append(digits.data(), end) += '\n';
}

void append_strategy(std::string& out, const RunResult& result) {
  if (result.strategy.empty()) return;
  append_quoted(out += "strategy ", result.strategy);
  append_field(out, " seed=", result.seed);
  append_field(out, " first=", result.first);
  append_field(out, " atomics=", result.atomics);
  append_field(out, " failed=", result.failed);
  out += '\n';
}

void append_sc(std::string& out, const std::optional<ScCounts>& counts) {
  if (!counts) return;
  append_field(out, "sc ", counts->sc);
  append_field(out, " not=", counts->not_sc);
  append_field(out, " undecided=", counts->undecided);
  out += '\n';
}

void append_spurious(std::string& out, const std::optional<SpuriousCounts>& counts) {
  if (!counts) return;
  append_field(out, "spurious ", counts->executions);
  append_field(out, " blocked=", counts->blocked);
  out += counts->after_all_others ? " after=all\n" : " after=some\n";
}

void append_parties(std::string& out, const std::vector<Party>& parties) {
  for (const Party& party : parties) {
    append_field(out, "party ", party.thread);
    append_quoted(out += ' ', party.what);
    if (party.address != 0) append_address(out += " address=", party.address);
    if (party.before >= 0) append_field(out, " before=", party.before);
    if (!party.stack.empty()) append_stack(out += " stack=", party.stack);
    if (!party.file.empty()) {
      append_field(out, " line=", party.line);
      append_quoted(out += " of ", party.file);
    }
    out += '\n';
  }
}

void append_kept_turns(std::string& out, const std::vector<KeptTurn>& turns) {
  for (const KeptTurn& turn : turns) {
    ((out += "kept ") += word(turn.operation)) += ' ';
    append_field(out += word(turn.by), " times=", turn.times);
    if (!turn.stack.empty()) append_stack(out += " stack=", turn.stack);
    if (!turn.because.empty()) append_stack(((out += " because=") += word(turn.because_operation)) += ' ', turn.because);
    out += '\n';
  }
}

void append_bug(std::string& out, const Bug& bug) {
  (out += "bug ") += word(bug.kind);
  append_field(out, " count=", bug.count);
  if (bug.first != 0) append_field(out, " first=", bug.first);
  if (bug.shown != bug.first) append_field(out, " shown=", bug.shown);
  if (bug.address != 0) append_address(out += " address=", bug.address);
  if (bug.size != 0) append_field(out, " size=", bug.size);
  out += '\n';
  append_line(out, "message", bug.message);
  append_parties(out, bug.parties);
  append_line(out, "output", bug.output);
  out += write(bug.trace);
}

// --- reading ---------------------------------------------------------------------------------------------------------

class Reader {
 public:
  explicit Reader(std::string_view text) : lines_(text) {}

  RunResult read() {
    expect_version(lines_, kMagic, kResultFormatVersion, "result");
    read_verdict();
    line_ = lines_.next();
    result_.model = expect_text("model");
    take_texts("option", result_.options);
    take_texts("argument", result_.arguments);
    result_.executions = expect_number<std::uint64_t>("executions");
    result_.blocked = expect_number<std::uint64_t>("blocked");
    read_given_up();
    read_seconds();
    result_.threads = expect_number<std::uint32_t>("threads");
    result_.events = expect_number<std::uint32_t>("events");
    read_symmetric();
    read_strategy();
    read_sc();
    read_spurious();
    take_texts("bound", result_.bounds);
    take_texts("note", result_.notes);
    read_cannot_check();
    while (line_.take("party ")) read_party(result_.parties);
    while (line_.take("kept ")) read_kept_turn();
    while (line_.take("module ")) read_module();
    while (line_.take("execution")) read_execution("execution", result_.shown);
    while (line_.take("not_sc")) read_execution("not_sc", result_.not_sc);
    while (line_.take("bug ")) read_bug();
    line_.expect("end", result_.bugs.empty() ? "'module', 'execution', 'not_sc', 'bug' or 'end'" : "'bug' or 'end'");
    line_.expect_end("the end of the line behind 'end'");
    if (!lines_.is_at_end()) throw FormatError(lines_.number() + 1, "expected nothing behind 'end'");
    return std::move(result_);
  }

 private:
  void end_line(std::string_view what) {
    line_.expect_end(what);
    line_ = lines_.next();
  }
  void read_verdict() {
    line_ = lines_.next();
    line_.expect("verdict ", "'verdict'");
    result_.verdict = line_.word<Verdict>(kVerdicts, "verified, sampled, bug, bounded or cannot-check");
    line_.expect_end("the end of the line behind the verdict");
  }
  std::string text_of(std::string_view keyword) {
    std::string text = line_.quoted("a text in quotes behind '" + std::string(keyword) + "'");
    end_line("the end of the line behind the text");
    return text;
  }
  std::string expect_text(const std::string& keyword) {
    line_.expect(keyword + " ", "'" + keyword + "'");
    return text_of(keyword);
  }
  void take_texts(const std::string& keyword, std::vector<std::string>& texts) {
    while (line_.take(keyword + " ")) texts.push_back(text_of(keyword));
  }
  template <class Number>
  Number expect_number(const std::string& keyword) {
    line_.expect(keyword + " ", "'" + keyword + "'");
    const auto value = line_.number<Number>("a number behind '" + keyword + "'");
    end_line("the end of the line behind the number");
    return value;
  }
  void read_seconds() {
    constexpr std::string_view kWhat = "a number of seconds";
    line_.expect("seconds ", "'seconds'");
    const Line before = line_;
    result_.seconds = line_.number<double>(kWhat);
    if (!std::isfinite(result_.seconds) || std::signbit(result_.seconds)) before.fail(kWhat);  // R1
    end_line("the end of the line behind the number");
  }
  void read_given_up() {
    if (!line_.take("given-up ")) return;
    constexpr std::string_view kWhat = "a number of executions, not 0";
    const Line before = line_;
    result_.given_up = line_.number<std::uint64_t>(kWhat);
    if (result_.given_up == 0) before.fail(kWhat);
    end_line("the end of the line behind the number");
  }
  void read_symmetric() {
    if (!line_.take("symmetric ")) return;
    constexpr std::string_view kWhat = "a number of threads, not 0";
    const Line before = line_;
    result_.symmetric = line_.number<std::uint32_t>(kWhat);
    if (result_.symmetric == 0) before.fail(kWhat);
    end_line("the end of the line behind the number");
  }
  void read_strategy() {
    if (!line_.take("strategy ")) return;
    constexpr std::string_view kWhat = "the name of a strategy in quotes";
    const Line before = line_;
    result_.strategy = line_.quoted(kWhat);
    if (result_.strategy.empty()) before.fail(kWhat);
    line_.expect(" seed=", "' seed='");
    result_.seed = line_.number<std::uint64_t>("a number behind ' seed='");
    line_.expect(" first=", "' first='");
    result_.first = line_.number<std::uint64_t>("a number behind ' first='");
    line_.expect(" atomics=", "' atomics='");
    result_.atomics = line_.number<std::uint64_t>("a number behind ' atomics='");
    line_.expect(" failed=", "' failed='");
    result_.failed = line_.number<std::uint64_t>("a number behind ' failed='");
    end_line("the end of the line behind the number");
  }
  void read_sc() {
    if (!line_.take("sc ")) return;
    ScCounts counts;
    counts.sc = line_.number<std::uint64_t>("a number of executions");
    line_.expect(" not=", "' not='");
    counts.not_sc = line_.number<std::uint64_t>("a number of executions");
    line_.expect(" undecided=", "' undecided='");
    counts.undecided = line_.number<std::uint64_t>("a number of executions");
    end_line("the end of the line behind the number");
    result_.sc = counts;
  }
  void read_spurious() {
    if (!line_.take("spurious ")) return;
    SpuriousCounts counts;
    counts.executions = line_.number<std::uint64_t>("a number of executions");
    line_.expect(" blocked=", "' blocked='");
    counts.blocked = line_.number<std::uint64_t>("a number of executions");
    counts.after_all_others = line_.take(" after=all");
    if (!counts.after_all_others) line_.expect(" after=some", "' after=all' or ' after=some'");
    end_line("the end of the line after 'after='");
    result_.spurious = counts;
  }
  void read_cannot_check() {
    if (line_.take("cannot_check ")) result_.cannot_check = text_of("cannot_check");
    if (!line_.take("where ")) return;
    result_.where = line_.stack();
    end_line("the end of the line behind the stack");
  }
  void read_kept_turn() {
    KeptTurn turn;
    turn.operation = line_.word<KeptOperation>(kKeptOperations, "load, read-modify-write, compare-exchange or call");
    line_.expect(" ", "a space and what kept the turn");
    turn.by = line_.word<KeptBy>(kKeptBy, "what kept the turn");
    line_.expect(" times=", "' times='");
    turn.times = line_.number<std::uint64_t>("a number of times");
    if (line_.take(" stack=")) turn.stack = line_.stack();
    if (line_.take(" because=")) {
      turn.because_operation = line_.word<KeptOperation>(kKeptOperations, "load, read-modify-write, compare-exchange or call");
      line_.expect(" ", "a space and a stack");
      turn.because = line_.stack();
    }
    end_line("' stack=', ' because=' or the end of the line");
    result_.kept_turns.push_back(std::move(turn));
  }
  void read_module() {
    Module module;
    module.path = line_.quoted("the module's path in quotes");
    line_.expect(" base=", "' base='");
    module.base = line_.address();
    line_.expect(" end=", "' end='");
    module.end = line_.address();
    if (line_.take(" build_id=")) module.build_id = line_.quoted("the module's build id in quotes");
    end_line("' build_id=' or the end of the line");
    result_.modules.push_back(std::move(module));
  }
  void read_execution(const std::string& keyword, std::vector<Trace>& traces) {
    line_.expect_end("the end of the line behind '" + keyword + "'");
    traces.push_back(TraceReader(lines_).read());
    line_ = lines_.next();
  }
  void read_bug() {
    Bug bug;
    bug.kind = line_.word<BugKind>(kBugKinds, "the kind of a bug");
    line_.expect(" count=", "' count='");
    bug.count = line_.number<std::uint64_t>("a number of executions");
    if (line_.take(" first=")) bug.first = line_.number<std::uint64_t>("the number of an execution");
    bug.shown = line_.take(" shown=") ? line_.number<std::uint64_t>("the number of an execution") : bug.first;
    if (line_.take(" address=")) bug.address = line_.address();
    if (line_.take(" size=")) bug.size = line_.number<std::uint32_t>("a number of bytes");
    end_line("' first=', ' shown=', ' address=', ' size=' or the end of the line");
    bug.message = expect_text("message");
    while (line_.take("party ")) read_party(bug.parties);
    line_.expect("output ", "'party' or 'output'");
    bug.output = line_.quoted("a text in quotes behind 'output'");
    line_.expect_end("the end of the line behind the text");
    bug.trace = TraceReader(lines_).read();
    result_.bugs.push_back(std::move(bug));
    line_ = lines_.next();
  }
  void read_party(std::vector<Party>& parties) {
    Party party;
    party.thread = line_.number_from(-1, "the number of a thread, or -1");
    line_.expect(" ", "a space and what the thread does in quotes");
    party.what = line_.quoted("what the thread does in quotes");
    if (line_.take(" address=")) party.address = line_.address();
    if (line_.take(" before=")) party.before = line_.number_from(0, "a number of events");
    if (line_.take(" stack=")) party.stack = line_.stack();
    if (line_.take(" line=")) {
      party.line = static_cast<std::uint32_t>(line_.number_from(0, "a line"));
      line_.expect(" of ", "' of ' and a file in quotes");
      party.file = line_.quoted("a file in quotes");
    }
    end_line("' address=', ' before=', ' stack=' or the end of the line");
    parties.push_back(std::move(party));
  }

  Lines lines_;
  Line line_{"", 0};
  RunResult result_;
};

}  // namespace

std::string_view word(BugKind kind) { return kBugKinds.at(static_cast<std::size_t>(kind)); }
std::string_view word(KeptOperation operation) { return kKeptOperations.at(static_cast<std::size_t>(operation)); }
std::string_view word(KeptBy by) { return kKeptBy.at(static_cast<std::size_t>(by)); }
std::string_view word(Verdict verdict) { return kVerdicts.at(static_cast<std::size_t>(verdict)); }

std::string write(const RunResult& result) {
  std::string out;
  append_field(out, kMagic, kResultFormatVersion);
  ((out += "\nverdict ") += word(result.verdict)) += '\n';
  append_line(out, "model", result.model);
  append_lines(out, "option", result.options);
  append_lines(out, "argument", result.arguments);
  append_field(out, "executions ", result.executions);
  append_field(out, "\nblocked ", result.blocked);
  if (result.given_up != 0) append_field(out, "\ngiven-up ", result.given_up);
  append_seconds(out += '\n', result.seconds);
  append_field(out, "threads ", result.threads);
  append_field(out, "\nevents ", result.events);
  if (result.symmetric != 0) append_field(out, "\nsymmetric ", result.symmetric);
  out += '\n';
  append_strategy(out, result);
  append_sc(out, result.sc);
  append_spurious(out, result.spurious);
  append_lines(out, "bound", result.bounds);
  append_lines(out, "note", result.notes);
  if (!result.cannot_check.empty()) append_line(out, "cannot_check", result.cannot_check);
  if (!result.where.empty()) append_stack(out += "where ", result.where), out += '\n';
  append_parties(out, result.parties);
  append_kept_turns(out, result.kept_turns);
  for (const Module& module : result.modules) {
    append_quoted(out += "module ", module.path);
    append_address(out += " base=", module.base);
    append_address(out += " end=", module.end);
    if (!module.build_id.empty()) append_quoted(out += " build_id=", module.build_id);
    out += '\n';
  }
  for (const Trace& trace : result.shown) (out += "execution\n") += write(trace);
  for (const Trace& trace : result.not_sc) (out += "not_sc\n") += write(trace);
  for (const Bug& bug : result.bugs) append_bug(out, bug);
  return out += "end\n";
}

RunResult read_run_result(std::string_view text) { return Reader(text).read(); }

}  // namespace ordeal::trace
