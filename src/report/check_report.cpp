#include "report/check_report.h"

#include <algorithm>

#include <fmt/format.h>

#include "report/bug_view.h"
#include "report/cycle_text.h"
#include "report/explanation.h"
#include "report/headline.h"
#include "report/kept_turns.h"
#include "report/litmus_report.h"
#include "report/printable.h"
#include "report/relevance.h"
#include "report/sample_text.h"

namespace ordeal::report {

using trace::RunResult;
using trace::Verdict;

namespace {

constexpr std::size_t kNarrowest = 80, kWidest = 160;

std::string coloured(const std::string& text, const char* code, const CheckOptions& options) {
  return options.colour == Colour::kNo ? text : fmt::format("\x1b[{}m{}\x1b[0m", code, text);
}
std::string red(const std::string& text, const CheckOptions& options) { return coloured(text, "1;31", options); }
std::string green(const std::string& text, const CheckOptions& options) { return coloured(text, "1;32", options); }
std::string yellow(const std::string& text, const CheckOptions& options) { return coloured(text, "1;33", options); }

std::string program_name(const RunResult& result, const CheckOptions& options) {
  if (!options.program.empty()) return printable(options.program);
  return result.modules.empty() ? "the program" : printable(result.modules[0].path);
}

/// What is counted: "execution class", perhaps " up to symmetry of 3 threads" behind it.
std::string symmetry_text(const RunResult& result) {
  return result.symmetric == 0 ? "" : fmt::format(" up to symmetry of {} threads", result.symmetric);
}

/// "counter.cpp, model cpp20 (0 blocked) in 1.2 ms".
std::string circumstances(const RunResult& result, const CheckOptions& options) {
  return fmt::format("{}, model {} ({} blocked) in {}", program_name(result, options), printable(result.model),
                     grouped(result.blocked), duration(result.seconds));
}

std::string joined(const std::vector<std::string>& texts) {
  std::string out;
  for (const std::string& text : texts) out += (out.empty() ? "" : "; ") + printable(text);
  return out;
}

/// The program's output, of a long one the end.
std::string output_text(const std::string& output, const CheckOptions& options) {
  constexpr std::string_view kIndent = "  | ";
  constexpr int kMost = 40;
  std::size_t start = output.size();
  for (int lines = 0; start > 0; --start)
    if (start < output.size() && output[start - 1] == '\n' && ++lines == kMost) break;
  if (start == 0 || options.length == Length::kFull) return "The program printed:\n" + printable_lines(output, kIndent);
  return fmt::format("The program printed, at the end (--full shows all):\n{}",
                     printable_lines(std::string_view(output).substr(start), kIndent));
}

/// How often, and how to see it again.
std::string last_lines(const RunResult& result, const trace::Bug& bug, const std::string& replay, const CheckOptions& options) {
  std::string text;
  if (is_sampled(result)) text = frequency(result, bug) + "\n";
  else if (bug.count > 1) text = fmt::format("The same bug in {} executions.\n", grouped(bug.count));
  if (!replay.empty()) text += fmt::format("To see it again: ordeal replay {}\n", shell_word(replay));
  else if (is_sampled(result) && result.executions > 1) text += fmt::format("To see it again: {}\n", sample_command(result, bug, program_name(result, options)));
  return text.empty() ? "" : "\n" + text;
}

std::string bug_report(const RunResult& result, const trace::Bug& bug, const std::string& replay, SourceNames& names,
                       const CheckOptions& options) {
  const std::size_t width = std::clamp(options.width, kNarrowest, kWidest);
  const BugView view(bug, names);
  constexpr std::size_t kIndent = 2;  // of all lines but the first
  std::string first = wrapped(headline(view), std::string(kIndent, ' '), width).substr(kIndent);
  first.pop_back();  // its newline is not coloured
  std::string text = red(first, options) + "\n";
  std::vector<std::string> sentences = explanation(view, is_sampled(result) ? Calls::kShown : Calls::kTold);
  if (options.sc != ScOfBugs::kNo && bug.kind != trace::BugKind::kNotSc && !bug.trace.events.empty()) sentences.push_back(sc_text(view.rows()));
  std::string why;
  for (const std::string& sentence : sentences) why += wrapped(sentence, "  ", width);
  if (!why.empty()) text += "\n" + why;
  if (const std::string stacks = is_sampled(result) ? bug_stacks(view, width) : ""; !stacks.empty()) text += "\n" + stacks;
  if (!bug.trace.events.empty()) {
    TableTexts texts = view.texts();
    texts.relevant = relevant_events(view, sentences);
    texts.cited = cited_events(view, sentences);
    text += "\n" + execution_table(bug.trace, texts, {width, options.length});
  }
  if (!bug.output.empty()) text += "\n" + output_text(bug.output, options);
  return text + last_lines(result, bug, replay, options);
}

/// One of those that `--show` asks for.
std::string shown_execution(const trace::Trace& trace, std::size_t number, SourceNames& names,
                            const CheckOptions& options) {
  trace::Bug holder;  // what looks names up takes a bug
  holder.trace = trace;
  const BugView view(holder, names);
  const std::size_t width = std::clamp(options.width, kNarrowest, kWidest);
  return fmt::format("execution {}{}\n{}\n", grouped(number),
                     view.rows().is_weak() ? ": no interleaving, it takes weak memory" : "",
                     execution_table(trace, view.texts(), {width, options.length}));
}

/// The first that `--sc-analysis` found.
std::string not_sc_execution(const trace::Trace& trace, SourceNames& names, const CheckOptions& options) {
  trace::Bug holder;
  holder.trace = trace;
  const BugView view(holder, names);
  const std::size_t width = std::clamp(options.width, kNarrowest, kWidest);
  return fmt::format("The first execution that no interleaving of the threads explains\n\n{}\n{}\n", wrapped(cycle_text(view.rows()), "  ", width),
                     execution_table(trace, view.texts(), {width, options.length}));
}

std::string cannot_check(const RunResult& result, SourceNames& names, const CheckOptions& options) {
  std::string text =
      fmt::format("{} {}: {}", verdict_word(result.verdict, options), program_name(result, options),
                  result.cannot_check.empty() ? "the reason is not known" : printable(result.cannot_check));
  const std::string place = result.where.empty() ? "" : place_text(names.place(result.where));
  return text + (place.empty() ? "" : " at " + place) + "\n";
}

/// "  thread 1 made 1000 operations, the last at queue.cpp:33", a line each.
std::string party_lines(const RunResult& result, SourceNames& names) {
  std::string text;
  for (const trace::Party& party : result.parties) {
    const std::string place = party.stack.empty() ? "" : place_text(names.place(party.stack));
    text += fmt::format("  {} {}{}\n", thread_name(party.thread), printable(party.what), place.empty() ? "" : " at " + place);
  }
  return text;
}

}  // namespace

std::string thread_name(std::int32_t thread) {
  if (thread < 0) return "a thread";
  return thread == 0 ? "main" : fmt::format("thread {}", thread);
}

std::vector<std::string> all_notes(const RunResult& result) {
  std::vector<std::string> notes = result.notes;
  if (result.verdict != Verdict::kCannotCheck && result.threads == 1)
    notes.insert(notes.begin(), "the program has one thread only");
  return notes;
}

std::string verdict_word(Verdict verdict, const CheckOptions& options) {
  switch (verdict) {
    case Verdict::kVerified: return green("verified", options);
    case Verdict::kSampled: return green("sampled", options);
    case Verdict::kBug: return red("bug", options);
    case Verdict::kBounded: return yellow("bounded", options);
    case Verdict::kCannotCheck: return yellow("cannot check", options);
  }
  return "";
}

namespace {

/// "sampled: no bug in 1,000 executions of queue.cpp (seed 1, …) in 5.2 ms, 190,000 a second".
std::string sample_verdict(const RunResult& result, const CheckOptions& options) {
  std::string what = "no bug in " + plural(result.executions, "execution");
  if (!result.bugs.empty() && result.failed > 0) what = fmt::format("{}, in {}", plural(result.bugs.size(), "bug"), rate_text(result.failed, result.executions));
  else if (!result.bugs.empty()) what = fmt::format("{} in {}", plural(result.bugs.size(), "bug"), plural(result.executions, "execution"));
  return fmt::format("{}: {} of {} {}\n", verdict_word(result.verdict, options), what, program_name(result, options), sample_circumstances(result));
}

/// The first line.
std::string verdict_line(const RunResult& result, SourceNames& names, const CheckOptions& options) {
  const std::string symmetry = symmetry_text(result), classes = plural(result.executions, "execution class") + symmetry, around = circumstances(result, options);
  if (is_sampled(result) && result.verdict != Verdict::kCannotCheck) return sample_verdict(result, options);
  switch (result.verdict) {
    case Verdict::kVerified:
      return fmt::format("{}: {} of {}\n", verdict_word(result.verdict, options),
                         result.executions == 1 ? "the only execution class" + symmetry : "all " + classes, around);
    case Verdict::kSampled: return sample_verdict(result, options);
    case Verdict::kBug:
      return fmt::format("{}: {} in {} of {}, model {}, in {}\n", verdict_word(result.verdict, options),
                         plural(result.bugs.size(), "bug"), plural(result.executions + result.blocked, "execution"),
                         program_name(result, options), printable(result.model), duration(result.seconds));
    case Verdict::kBounded:
      return fmt::format("{}: no bug in {} of {}\n", verdict_word(result.verdict, options), classes, around);
    case Verdict::kCannotCheck: return cannot_check(result, names, options);
  }
  return "";
}

}  // namespace

namespace {

/// What a search that was cut has seen of executions with spurious failures, which come last.
std::string spurious_line(const RunResult& result) {
  const std::uint64_t without = result.executions - std::min(result.executions, result.spurious->executions);
  const std::string classes = plural(without, "execution class"), others = fmt::format("{} with such failures ({} blocked)", grouped(result.spurious->executions), grouped(result.spurious->blocked));
  if (result.spurious->after_all_others) return fmt::format("explored: all execution classes without spurious failures, {}, and {}\n", grouped(without), others);
  return fmt::format("explored: {} without spurious failures, which come first, and {}\n", classes, others);
}

}  // namespace

std::string verdict_text(const RunResult& result, SourceNames& names, const CheckOptions& options) {
  std::string text = verdict_line(result, names, options);
  if (!result.bounds.empty()) text += (is_sampled(result) ? "cut short: " : "not all was explored: ") + joined(result.bounds) + "\n";
  if (result.spurious) text += spurious_line(result);
  text += party_lines(result, names);
  if (result.sc) text += sc_line(*result.sc, options.sc == ScOfBugs::kYes ? "of what is reported " : "");
  for (const std::string& note : all_notes(result)) text += "note: " + printable(note) + "\n";
  return text;
}

std::string check_report(const RunResult& result, SourceNames& names, const CheckOptions& options) {
  std::string text;
  for (std::size_t i = 0; i < result.shown.size(); ++i) text += shown_execution(result.shown[i], i + 1, names, options);
  for (const trace::Trace& trace : result.not_sc) text += not_sc_execution(trace, names, options);
  for (std::size_t i = 0; i < result.bugs.size(); ++i)
    text += bug_report(result, result.bugs[i], i < options.replays.size() ? options.replays[i] : "", names, options) + "\n";
  text += verdict_text(result, names, options);
  if (options.length == Length::kFull) text += kept_turns_text(result, names);
  for (const std::string& remark : names.remarks()) text += "note: " + printable(remark) + "\n";
  return text;
}

}  // namespace ordeal::report
