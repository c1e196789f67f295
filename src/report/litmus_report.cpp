#include "report/litmus_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <nlohmann/json.hpp>

namespace ordeal::report {
namespace {

std::string text_of(const Cell& cell) {
  return std::holds_alternative<std::string>(cell) ? std::get<std::string>(cell) : std::to_string(std::get<std::int64_t>(cell));
}

std::string model_text(const LitmusSummary& summary) {
  return summary.model + (summary.load_buffering ? " with load buffering" : "");
}

/// "Ordeal: 3 classes in 41 µs, model cpp20" and what else the reader must know.
std::string own_line(const LitmusSummary& summary) {
  std::string line = fmt::format("Ordeal: {} in {}, model {}", plural(summary.executions, "class"), duration(summary.seconds), model_text(summary));
  if (summary.blocked > 0) line += fmt::format(", {} blocked", grouped(summary.blocked));
  return line + "\n";
}

std::string warnings(const LitmusSummary& summary) {
  std::string text;
  if (summary.racy)
    text += fmt::format("Racy: {}, unordered: undefined behaviour, the states mean nothing\n", summary.race);
  for (const std::string& bound : summary.bounds) text += fmt::format("Bounded: {}\n", bound);
  return text;
}

}  // namespace

std::string grouped(std::uint64_t number) {
  std::string digits = std::to_string(number);
  for (int i = static_cast<int>(digits.size()) - 3; i > 0; i -= 3) digits.insert(static_cast<std::size_t>(i), ",");
  return digits;
}

std::string plural(std::uint64_t count, const std::string& noun) {
  return grouped(count) + " " + noun + (count == 1 ? "" : noun.ends_with('s') ? "es" : "s");
}

std::string duration(double seconds) {
  // The limits are where the digits would round up to the next unit.
  if (seconds < 999.5e-6) return fmt::format("{:.3g} µs", seconds * 1e6);
  if (seconds < 0.9995) return fmt::format("{:.3g} ms", seconds * 1e3);
  if (seconds < 119.95) return fmt::format("{:.1f} s", seconds);
  const auto whole = static_cast<std::int64_t>(std::llround(seconds));
  return fmt::format("{} min {} s", whole / 60, whole % 60);
}

std::string sc_line(const trace::ScCounts& counts, std::string_view of) {
  std::string text = fmt::format("SC analysis: {}{} {} of the threads, {} not", of, plural(counts.sc, "execution"),
                                 counts.sc == 1 ? "is an interleaving" : "are interleavings", counts.not_sc == 1 ? "1 is" : grouped(counts.not_sc) + " are");
  return text + (counts.undecided == 0 ? "\n" : fmt::format("; {} could not be decided\n", grouped(counts.undecided)));
}

std::string observation(const LitmusSummary& summary) {
  if (summary.positive == 0) return "Never";
  return summary.negative == 0 ? "Always" : "Sometimes";
}

std::string herd_text(const LitmusSummary& summary) {
  std::string text = fmt::format("Test {} {}\nStates {}\n", summary.name, summary.expectation, summary.states.size());
  for (const auto& state : summary.states) {
    for (std::size_t i = 0; i < state.size(); ++i) {
      const std::string& column = summary.columns[i];
      text += fmt::format("{}{}={};", i == 0 ? "" : " ", summary.column_is_memory[i] ? "[" + column + "]" : column, text_of(state[i]));
    }
    text += "\n";
  }
  // As herd: of a ~exists, the states that do not satisfy it are the positive witnesses.
  const bool is_negated = summary.expectation == "Forbidden";
  text += fmt::format("{}\nWitnesses\nPositive: {} Negative: {}\n", summary.condition_holds ? "Ok" : "No",
                      is_negated ? summary.negative : summary.positive, is_negated ? summary.positive : summary.negative);
  if (summary.racy) text += "Flag data-race\n";
  text += fmt::format("Condition {}\nObservation {} {} {} {}\n", summary.condition, summary.name, observation(summary),
                      summary.positive, summary.negative);
  return text + own_line(summary) + (summary.sc ? sc_line(*summary.sc) : "") + warnings(summary);
}

std::string json_line(const LitmusSummary& summary) {
  nlohmann::ordered_json json;
  json["version"] = 1;  // as kJsonVersion of check_json.h: grows if a field goes or means something else
  json["name"] = summary.name;
  json["file"] = summary.file;
  json["model"] = summary.model;
  json["load_buffering"] = summary.load_buffering;
  json["verdict"] = observation(summary);
  json["condition"] = summary.condition;
  json["holds"] = summary.condition_holds;
  json["positive"] = summary.positive;
  json["negative"] = summary.negative;
  json["states"] = nlohmann::ordered_json::array();
  for (const auto& state : summary.states) {
    nlohmann::ordered_json object = nlohmann::ordered_json::object();
    for (std::size_t i = 0; i < state.size(); ++i)
      std::visit([&](const auto& value) { object[summary.columns[i]] = value; }, state[i]);
    json["states"].push_back(std::move(object));
  }
  json["executions"] = summary.executions;
  json["blocked"] = summary.blocked;
  json["racy"] = summary.racy;
  if (summary.racy) json["race"] = summary.race;
  if (summary.sc) {
    json["sc_executions"] = summary.sc->sc;
    json["non_sc_executions"] = summary.sc->not_sc;
    if (summary.sc->undecided != 0) json["sc_undecided"] = summary.sc->undecided;
  }
  json["bounds"] = summary.bounds;
  json["seconds"] = summary.seconds;
  return json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

std::string table(const std::vector<LitmusSummary>& summaries) {
  std::size_t width = 4;
  for (const auto& summary : summaries) width = std::max(width, summary.name.size());
  std::string text = fmt::format("{:<{}}  {:<9}  {:<2}  {:<9}  {:>6}  {:>12}  {:>9}\n", "Test", width, "", "", "", "states", "classes", "time");
  std::uint64_t classes = 0, states = 0, ok = 0, racy = 0, bounded = 0;
  double seconds = 0;
  for (const auto& summary : summaries) {
    std::string remark;
    if (summary.racy) remark += "  racy";
    if (!summary.bounds.empty()) remark += "  bounded";
    if (summary.sc && summary.sc->not_sc > 0) remark += fmt::format("  {} not SC", grouped(summary.sc->not_sc));
    // The unit µ is two bytes but one column: pad by hand.
    const std::string time = duration(summary.seconds);
    const std::size_t time_columns = time.size() - static_cast<std::size_t>(std::count(time.begin(), time.end(), '\xc2'));
    text += fmt::format("{:<{}}  {:<9}  {:<2}  {:<9}  {:>6}  {:>12}  {}{}{}\n", summary.name, width, summary.expectation,
                        summary.condition_holds ? "Ok" : "No", observation(summary), summary.states.size(), grouped(summary.executions),
                        std::string(time_columns < 9 ? 9 - time_columns : 0, ' '), time, remark);
    classes += summary.executions;
    states += summary.states.size();
    seconds += summary.seconds;
    ok += summary.condition_holds ? 1 : 0;
    racy += summary.racy ? 1 : 0;
    bounded += summary.bounds.empty() ? 0 : 1;
  }
  text += fmt::format("{}: {} Ok, {} No", plural(summaries.size(), "test"), ok, summaries.size() - ok);
  if (racy > 0) text += fmt::format(", {} racy", racy);
  if (bounded > 0) text += fmt::format(", {} bounded", bounded);
  text += fmt::format("; {}, {} in {}, model {}\n", plural(states, "state"), plural(classes, "class"), duration(seconds),
                      summaries.empty() ? "" : model_text(summaries.front()));
  return text;
}

}  // namespace ordeal::report
