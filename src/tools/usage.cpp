#include "tools/usage.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <utility>

namespace ordeal::tools {
namespace {

/// How many letters must be added, left out or replaced to make one word from the other.
std::size_t edits_between(const std::string& a, const std::string& b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, replaced});
    }
  }
  return row[b.size()];
}

/// ". Did you mean --model?", if a known word is close.
std::string suggestion(const std::string& word, const std::vector<std::string>& known) {
  const std::string* best = nullptr;
  for (const std::string& candidate : known)
    if (best == nullptr || edits_between(word, candidate) < edits_between(word, *best)) best = &candidate;
  const bool is_close = best != nullptr && edits_between(word, *best) <= std::max<std::size_t>(1, (word.size() + 1) / 3);
  return is_close ? fmt::format(". Did you mean {}?", *best) : "";
}

std::vector<std::string> names_of_options(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options())
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  return names;
}

std::vector<std::string> names_of_verbs(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* verb : app.get_subcommands([](const CLI::App*) { return true; })) names.push_back(verb->get_name());
  return names;
}

/// What is wrong, without the command's name and a full stop.
std::string problem(const CLI::App& app, const CLI::App& verb, const CLI::Error& error) {
  const auto is = [&](CLI::ExitCodes code) { return error.get_exit_code() == static_cast<int>(code); };
  const std::vector<std::string> extra = app.remaining(true);
  if (!extra.empty() && (is(CLI::ExitCodes::ExtrasError) || &verb == &app)) {
    const std::string word = extra.front().substr(0, extra.front().find('='));
    if (word.starts_with("-") && !word.starts_with("--") && (verb.get_name() == "check" || verb.get_name() == "test"))
      return fmt::format("unknown option {}; flags for the compiler go behind --, after the files", word);
    if (word.starts_with("-")) return fmt::format("unknown option {}{}", word, suggestion(word, names_of_options(verb)));
    if (&verb == &app) return fmt::format("unknown verb '{}'{}", word, suggestion(word, names_of_verbs(app)));
    return fmt::format("'{}' is too much", word);
  }
  const std::string text = error.what();
  if (is(CLI::ExitCodes::RequiredError)) return &verb == &app ? "which verb?" : text.substr(0, text.find(' ')) + " is missing";
  const std::string option = text.substr(0, text.find(':'));
  if (!is(CLI::ExitCodes::ArgumentMismatch)) return text;
  return option + (text.ends_with(" missing") ? " needs a value" : " was given twice");
}

}  // namespace

std::string usage_message(const CLI::App* app, const CLI::Error& error) {
  const std::vector<CLI::App*> verbs = app->get_subcommands();
  const CLI::App& verb = verbs.empty() ? *app : *verbs.front();
  const std::string command = verbs.empty() ? app->get_name() : app->get_name() + " " + verb.get_name();
  const CLI::Option* file = verb.get_option_no_throw("FILE");
  const bool is_one = file != nullptr && file->get_items_expected_max() == 1;
  const std::string form = verbs.empty() ? "VERB [OPTIONS] …" : is_one ? "[OPTIONS] FILE" : "[OPTIONS] FILE…";
  return fmt::format("{}: {}\nusage: {} {}\n'{} --help' lists the {}.\n", app->get_name(), problem(*app, verb, error), command,
                     form, command, verbs.empty() ? "verbs" : "options");
}

Check one_of(std::vector<std::string> choices) {
  return [choices = std::move(choices)](const std::string& text) -> std::string {
    if (std::find(choices.begin(), choices.end(), text) != choices.end()) return "";
    return fmt::format("there is no '{}'; choose one of: {}", text, fmt::join(choices, ", "));
  };
}

Check whole_number(std::uint64_t greatest) {
  return [greatest](const std::string& text) -> std::string {
    std::uint64_t number = 0;
    const char* end = text.data() + text.size();
    const auto [stop, failure] = std::from_chars(text.data(), end, number);
    if (failure == std::errc() && stop == end && number >= 1 && number <= greatest) return "";
    if (greatest == UINT64_MAX) return fmt::format("'{}' is not a whole number above 0", text);
    return fmt::format("'{}' is not a whole number from 1 to {}", text, greatest);
  };
}

Check seconds() {
  return [](const std::string& text) -> std::string {
    char* end = nullptr;
    const double number = std::strtod(text.c_str(), &end);
    if (!text.empty() && *end == '\0' && std::isfinite(number) && number > 0) return "";
    return fmt::format("'{}' is not a number of seconds above 0", text);
  };
}

}  // namespace ordeal::tools
