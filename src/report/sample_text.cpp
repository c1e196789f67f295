#include "report/sample_text.h"

#include <algorithm>

#include <fmt/format.h>

#include "report/litmus_report.h"
#include "report/printable.h"

namespace ordeal::report {
namespace {

std::string percent(std::uint64_t count, std::uint64_t of) {
  const double part = of == 0 ? 0 : 100 * static_cast<double>(count) / static_cast<double>(of);
  return part == 0 || part >= 0.1 ? fmt::format("{:.1f} %", part) : fmt::format("{:.1g} %", part);
}

std::string function_of(const SourcePlace& place) {
  constexpr std::size_t kLongest = 60;
  return place.function.empty() ? "?" : cut_end(printable(place.function), kLongest);
}

/// "thread 1 writes 4 bytes", "thread 2 waits for mutex 'a', held by main".
std::string sentence(const PartyView& party) {
  return party.what.empty() ? party.thread : party.thread + " " + party.what;
}

std::string whose(const char* what, std::uint64_t size, const std::string& thread) {
  return fmt::format("the block of {} was {}{}", plural(size, "byte"), what, thread.empty() ? "" : " by " + thread);
}

}  // namespace

std::string rate_text(std::uint64_t count, std::uint64_t executions) {
  if (executions == 1) return "the only execution";
  return fmt::format("{} of {} ({})", grouped(count), plural(executions, "execution"), percent(count, executions));
}

std::string frequency(const trace::RunResult& result, const trace::Bug& bug) {
  std::string text = fmt::format("In {}, {} number {}", rate_text(bug.count, result.executions), result.executions == 1 ? "which is" : "first in", grouped(bug.first));
  if (bug.shown != bug.first) text += fmt::format("; shown is the shortest, number {}", grouped(bug.shown));
  return text + ".";
}

std::string sample_circumstances(const trace::RunResult& result) {
  std::string text = fmt::format("(seed {}, strategy {}", result.seed, printable(result.strategy));
  if (result.first != 0) text += fmt::format(", from number {} on", grouped(result.first));
  text += fmt::format(", at most {}, {}) in {}", plural(result.threads, "thread"), plural(result.events, "operation"), duration(result.seconds));
  if (result.executions > 1 && result.seconds > 0)
    text += fmt::format(", {} a second", grouped(static_cast<std::uint64_t>(static_cast<double>(result.executions) / result.seconds)));
  return text;
}

std::string sample_command(const trace::RunResult& result, const trace::Bug& bug, const std::string& program) {
  std::string text = "ordeal test";
  if (result.strategy != "portfolio") text += " --strategy " + printable(result.strategy);
  return text + fmt::format(" --seed {} --first {} --executions 1 {}", result.seed, bug.shown, program);
}

std::string stack_lines(const std::vector<SourcePlace>& calls) {
  std::size_t width = 0;
  for (const SourcePlace& place : calls) width = std::max(width, columns(function_of(place)));
  std::string text;
  for (std::size_t i = 0; i < calls.size(); ++i) {
    const std::string function = function_of(calls[i]);
    const std::string line = calls[i].file.empty() ? "" : fmt::format("  {}{}:{}", std::string(width - columns(function), ' '), printable(calls[i].file), calls[i].line);
    text += fmt::format("    #{} {}{}{}\n", i, calls.size() > 10 && i < 10 ? " " : "", function, line);
  }
  return text;
}

std::string bug_stacks(const BugView& bug, std::size_t width) {
  std::string text;
  for (const PartyView& party : bug.parties()) {
    std::vector<SourcePlace> calls = party.calls;
    if (calls.empty() && !party.place.empty()) calls.push_back(party.source);
    if (calls.empty() && party.what.empty()) continue;
    text += wrapped(sentence(party), "  ", width) + stack_lines(calls);
  }
  const trace::TraceObject* object = bug.object();
  if (object == nullptr) return text;
  const auto by = [&](std::int32_t thread) { return thread < 0 ? "" : bug.thread(thread); };
  const bool is_told = std::any_of(bug.parties().begin(), bug.parties().end(), [](const PartyView& party) { return party.what == "allocates it"; });
  if (!is_told) text += "  " + whose("allocated", object->size, by(object->thread)) + "\n" + stack_lines(bug.allocation());
  if (object->freed_by >= 0) text += "  " + whose("freed", object->size, by(object->freed_by)) + "\n" + stack_lines(bug.end_of_block());
  return text;
}

}  // namespace ordeal::report
