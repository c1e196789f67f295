#include "tools/check_options.h"

#include <CLI/CLI.hpp>
#include <filesystem>
#include <fmt/format.h>

#include "tools/usage.h"

namespace ordeal::tools {

std::string check_plugin_file(const std::string& text) {
  if (!std::filesystem::exists(text)) return fmt::format("there is no file '{}'", text);
  const std::string path = std::filesystem::absolute(text).string();
  return path.find('=') == std::string::npos ? "" : fmt::format("the path '{}' must not have a =", path);
}

void add_search_options(CLI::App& verb, CheckOptions& options) {
  verb.add_option("--model", options.model, "The memory model: cpp20 (default), rc11, sc or tso")
      ->check(one_of({"cpp20", "rc11", "sc", "tso"}))
      ->type_name("MODEL");
  verb.add_flag("--load-buffering", options.load_buffering, "A load may see what another thread is sure to store later");
  verb.add_flag_callback(
      "--no-spurious", [&options] { options.spurious = false; }, "A weak compare-exchange never fails without reason");
  verb.add_flag("--keep-going", options.keep_going, "Go on after a bug, and report all kinds");
  verb.add_flag("--first-bug", options.first_bug, "Report the first execution with a bug, and look for no smaller one");
  verb.add_flag("--leaks", options.leaks, "Memory that is lost at the end of the program is a bug");
  verb.add_flag("--sc-analysis", options.sc_analysis, "Count the executions that no interleaving of the threads explains, and show the first");
  verb.add_flag("--require-sc", options.require_sc, "An execution that no interleaving of the threads explains is a bug");
  verb.add_flag("--symmetry", options.symmetry, "Threads that run the same code on the same data are not told apart")
      ->excludes("--load-buffering");
  const auto number = [&](const std::string& name, std::uint64_t& value, const std::string& text) {
    verb.add_option(name, value, text)->check(whole_number())->type_name("N");
  };
  number("--loop-bound", options.loop_bound, "Cut executions in which a waiting loop turns more often");
  verb.add_flag("--fair", options.fair, "Only executions in which no thread waits for ever while another could help it");
  verb.add_flag_callback(
          "--no-reduction", [&options] { options.reduction = false; }, "Explore every turn of every loop; one that may wait forever needs --loop-bound")
      ->excludes("--symmetry");
  verb.add_flag("--eager", options.eager)->group("");  // for tests
  number("--reread-bound", options.reread_bound, "How often a loop may see the same old store again");
  number("--max-events", options.max_events, "Cut executions in which a thread makes more operations (default 20000)");
  verb.add_flag("--show", options.show, "Print every execution class as a table");
  verb.add_option("--time", options.time, "Stop after this time")->check(seconds())->type_name("SECONDS");
  verb.add_option("--watchdog", options.watchdog, "A thread without any operation for so long runs for ever (default 10; 0: never)")
      ->check([](const std::string& text) { return text == "0" ? "" : seconds()(text); })
      ->type_name("SECONDS");
  number("--executions", options.executions, "Stop after this many execution classes");
  verb.add_option("--observer", options.observer, "A plug-in that looks at every execution (<ordeal/observer.h>)")->check(check_plugin_file)->type_name("FILE.so");
}

void add_sc_of_bugs(CLI::App& verb, ReportOptions& options) {
  verb.add_flag_callback("--sc-analysis", [&options] { options.sc = ReportOptions::Sc::kOfReported; }, "Of each execution with a bug: whether it is an interleaving of the threads, or which cycle forbids one");
  const auto require = [&options] { options.sc = ReportOptions::Sc::kOfReported, options.require_sc = true; };
  verb.add_flag_callback("--require-sc", require, "The same; the exit code is 1 if it is none");
}

void add_output_options(CLI::App& verb, OutputNames& files) {
  verb.add_option("--html", files.html, "Write a page to look at the executions in a browser")->type_name("FILE");
  verb.add_option("--dot", files.dot, "Write the executions as graphs for Graphviz")->type_name("FILE");
  verb.add_option("--junit", files.junit, "Write the result as JUnit XML, for continuous integration")->type_name("FILE");
  verb.add_option("--sarif", files.sarif, "Write the bugs as SARIF, for code scanners")->type_name("FILE");
}

void add_report_options(CLI::App& verb, ReportOptions& options) {
  verb.add_flag("--json", options.json, "Print one JSON object");
  verb.add_flag("--full", options.full, "Do not cut long tables; say which turns of loops were explored, and why");
  verb.add_flag("--quiet", options.quiet, "Print the verdict only");
  add_output_options(verb, options.files);
  verb.add_option("--color", options.color, "Colours: auto (default), always or never")
      ->check(one_of({"auto", "always", "never"}))
      ->type_name("WHEN");
}

std::string environment_text(const CheckOptions& options) {
  std::string text = fmt::format("model={}:load_buffering={:d}:spurious={:d}:keep_going={:d}:fair={:d}", options.model,
                                 options.load_buffering, options.spurious, options.keep_going, options.fair);
  const auto number = [&](const char* key, std::uint64_t value) {
    if (value != 0) text += fmt::format(":{}={}", key, value);
  };
  number("loop_bound", options.loop_bound);
  number("reread_bound", options.reread_bound);
  number("max_events", options.max_events);
  number("executions", options.executions);
  if (!options.reduction) text += ":reduction=0";
  if (options.eager) text += ":eager=1";
  if (options.first_bug) text += ":first_bug=1";
  if (options.symmetry) text += ":symmetry=1";
  if (options.show) text += ":show=1";
  if (options.leaks) text += ":leaks=1";
  if (options.sc_analysis) text += ":sc_analysis=1";
  if (options.require_sc) text += ":require_sc=1";
  if (!options.time.empty()) text += ":time=" + options.time;
  if (!options.observer.empty()) text += ":observer=" + std::filesystem::absolute(options.observer).lexically_normal().string();
  if (!options.watchdog.empty()) text += ":watchdog=" + options.watchdog;
  return text;
}

}  // namespace ordeal::tools
