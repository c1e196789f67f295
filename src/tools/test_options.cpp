#include "tools/test_options.h"

#include <CLI/CLI.hpp>
#include <charconv>
#include <filesystem>

#include <fmt/format.h>

#include "sample/strategy.h"
#include "tools/check_options.h"
#include "tools/usage.h"

namespace ordeal::tools {
namespace {

namespace fs = std::filesystem;

bool is_plugin(const std::string& text) { return text.find('/') != std::string::npos || text.ends_with(".so"); }

/// 0 is one, too.
std::string number_from_0(const std::string& text) {
  std::uint64_t number = 0;
  const char* end = text.data() + text.size();
  const auto [stop, failure] = std::from_chars(text.data(), end, number);
  return failure == std::errc() && stop == end ? "" : fmt::format("'{}' is not a whole number", text);
}

}  // namespace

std::string check_strategy(const std::string& text) {
  if (!is_plugin(text)) {
    if (!text.empty() && sample::make_strategy(text) != nullptr) return "";
    return fmt::format("there is no '{}'; choose one of: random, pct, pct:DEPTH (1 to 100), portfolio, or FILE.so", text);
  }
  return check_plugin_file(text);
}

void add_test_options(CLI::App& verb, TestOptions& options) {
  const auto positive = [&](const std::string& name, std::uint64_t& value, const std::string& text) {
    verb.add_option(name, value, text)->check(whole_number())->type_name("N");
  };
  positive("--executions", options.executions, "Stop after this many executions (default 1000, if there is no --time)");
  verb.add_option("--time", options.time, "Stop after this time (default 60, if there is no --executions)")->check(seconds())->type_name("SECONDS");
  verb.add_option("--seed", options.seed, "Of the random numbers (default 1)")->check(number_from_0)->type_name("N");
  verb.add_option("--first", options.first, "The number of the first execution (default 0)")->check(number_from_0)->type_name("N");
  verb.add_option("--strategy", options.strategy, "Who goes on, and what loads read: portfolio (default), random, pct, pct:DEPTH, or FILE.so")
      ->check(check_strategy)
      ->type_name("NAME");
  verb.add_flag_callback(
      "--no-spurious", [&options] { options.spurious = false; }, "A weak compare-exchange never fails without reason");
  verb.add_flag("--exit-code", options.exit_code, "An exit code other than 0 is a bug");
  positive("--max-events", options.max_events, "Cut executions with more operations");
  verb.add_option("--watchdog", options.watchdog, "A thread without any operation for so long runs for ever (default 10; 0: never)")
      ->check([](const std::string& text) { return text == "0" ? "" : seconds()(text); })
      ->type_name("SECONDS");
  verb.add_flag_callback(
      "--isolate", [&options] { options.isolate = 1; }, "Each execution in a process of its own");
  verb.add_flag_callback(
          "--in-place", [&options] { options.isolate = 0; }, "All executions in one process (default: where that is safe)")
      ->excludes("--isolate");
  verb.add_option("--volatile", options.volatile_as, "What accesses to volatile variables are: plain (default), relaxed or acq-rel")
      ->check(one_of({"plain", "relaxed", "acq-rel"}))
      ->type_name("HOW");
  verb.add_flag("--sc-analysis", options.sc_analysis, "Count the executions that no interleaving of the threads explains, and show the first");
  verb.add_flag("--require-sc", options.require_sc, "An execution that no interleaving of the threads explains is a bug");
  verb.add_option("--observer", options.observer, "A plug-in that looks at every execution (<ordeal/observer.h>)")->check(check_plugin_file)->type_name("FILE.so");
  verb.add_flag("--real-time", options.real_time, "Clocks are the system's, not virtual");
}

std::string environment_text(const TestOptions& options) {
  const std::string strategy = is_plugin(options.strategy) ? fs::absolute(options.strategy).lexically_normal().string() : options.strategy;
  std::string text = fmt::format("strategy={}:seed={}:first={}:spurious={:d}", strategy, options.seed, options.first, options.spurious);
  if (options.executions != 0) text += fmt::format(":executions={}", options.executions);
  if (!options.time.empty()) text += ":time=" + options.time;
  if (options.max_events != 0) text += fmt::format(":max_events={}", options.max_events);
  if (!options.watchdog.empty()) text += ":watchdog=" + options.watchdog;
  if (options.exit_code) text += ":exit_code=1";
  if (options.isolate >= 0) text += fmt::format(":isolate={}", options.isolate);
  if (options.real_time) text += ":real_time=1";
  if (options.sc_analysis) text += ":sc_analysis=1";
  if (options.require_sc) text += ":require_sc=1";
  if (!options.observer.empty()) text += ":observer=" + fs::absolute(options.observer).lexically_normal().string();
  if (options.volatile_as != "plain") text += ":volatile=" + options.volatile_as;
  return text;
}

}  // namespace ordeal::tools
