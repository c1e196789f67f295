#include "tools/litmus.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <sstream>

#include "litmus/parser.h"
#include "report/execution_table.h"
#include "report/litmus_report.h"
#include "tools/exit_code.h"
#include "tools/litmus_search.h"
#include "trace/trace.h"

namespace ordeal::tools {
namespace {

struct Request {
  std::vector<std::string> files;
  LitmusOptions options;
  bool json = false;
  bool show = false;
  bool expect = false;
};

// --- reading ---------------------------------------------------------------------------------------------------------------

std::vector<std::string> expand(const std::vector<std::string>& arguments) {
  namespace fs = std::filesystem;
  std::vector<std::string> files;
  for (const std::string& argument : arguments) {
    std::error_code error;
    if (!fs::is_directory(argument, error)) {
      files.push_back(argument);
      continue;
    }
    const std::size_t first = files.size();
    for (const auto& entry : fs::recursive_directory_iterator(argument, error))
      if (entry.path().extension() == ".litmus") files.push_back(entry.path().string());
    if (files.size() == first) throw std::runtime_error(fmt::format("there are no .litmus files in the folder '{}'", argument));
    std::sort(files.begin() + static_cast<std::ptrdiff_t>(first), files.end());
  }
  return files;
}

std::string read_file(const std::string& name) {
  std::ostringstream text;
  if (name == "-") {
    text << std::cin.rdbuf();
    return text.str();
  }
  std::ifstream file(name, std::ios::binary);
  if (!file) throw std::runtime_error(fmt::format("cannot read '{}': {}", name, std::strerror(errno)));
  if (file.peek() != std::ifstream::traits_type::eof()) text << file.rdbuf();
  return text.str();
}

/// All tests, or (with every message printed) none: nothing runs if something cannot be read.
std::vector<litmus::Test> read_tests(const std::vector<std::string>& files, bool& failed) {
  std::vector<litmus::Test> tests;
  for (const std::string& file : files) {
    try {
      tests.push_back(litmus::parse(read_file(file), file == "-" ? "standard input" : file));
    } catch (const litmus::ParseError& error) {
      std::cerr << error.what();
      failed = true;
    } catch (const std::runtime_error& error) {
      std::cerr << "ordeal: " << error.what() << "\n";
      failed = true;
    }
  }
  return tests;
}

void print_notes(const litmus::Test& test) {
  for (const litmus::Note& note : test.notes)
    std::cerr << fmt::format("{}:{}:{}: note: {}\n", test.file, note.position.line, note.position.column, note.message);
}

// --- results as report data --------------------------------------------------------------------------------------------------

report::Cell cell_of(const litmus::Test& test, litmus::Value value) {
  const int location = litmus::location_at(value);
  if (location >= 0 && location < static_cast<int>(test.locations.size())) return test.locations[static_cast<std::size_t>(location)].name;
  return value;
}

std::string expectation_of(litmus::Quantifier quantifier) {
  switch (quantifier) {
    case litmus::Quantifier::kExists: return "Allowed";
    case litmus::Quantifier::kNotExists: return "Forbidden";
    case litmus::Quantifier::kForall: return "Required";
  }
  return "";
}

void count_witnesses(const litmus::Test& test, const LitmusResult& result, report::LitmusSummary& summary) {
  const auto observables = test.observables();
  for (const auto& entry : result.states) {
    const litmus::State& state = entry.first;  // (a structured binding cannot be captured)
    const bool positive = litmus::holds(test.condition, [&](const litmus::Observable& wanted) {
      return state[static_cast<std::size_t>(std::find(observables.begin(), observables.end(), wanted) - observables.begin())];
    });
    (positive ? summary.positive : summary.negative) += entry.second;
  }
  switch (test.quantifier) {
    case litmus::Quantifier::kExists: summary.condition_holds = summary.positive > 0; break;
    case litmus::Quantifier::kNotExists: summary.condition_holds = summary.positive == 0; break;
    case litmus::Quantifier::kForall: summary.condition_holds = summary.negative == 0; break;
  }
}

report::LitmusSummary summarise(const litmus::Test& test, const LitmusResult& result, const LitmusOptions& options) {
  report::LitmusSummary summary;
  summary.name = test.name;
  summary.file = test.file;
  summary.model = model::name_of(options.model);
  summary.load_buffering = options.load_buffering;
  summary.expectation = expectation_of(test.quantifier);
  summary.condition = test.condition_text;
  for (const litmus::Observable& observable : test.observables()) {
    summary.columns.push_back(test.name_of(observable));
    summary.column_is_memory.push_back(observable.thread < 0);
  }
  for (const auto& [state, count] : result.states) {
    summary.states.emplace_back();
    for (const litmus::Value value : state) summary.states.back().push_back(cell_of(test, value));
  }
  count_witnesses(test, result, summary);
  summary.executions = result.executions;
  summary.blocked = result.blocked;
  summary.discarded = result.discarded;
  summary.racy = result.is_racy;
  summary.race = result.race;
  if (result.bound_was_hit)
    summary.bounds.push_back(fmt::format("a loop ran {} times and was cut (--loop-bound)", options.loop_bound));
  summary.bounds.insert(summary.bounds.end(), result.limits.begin(), result.limits.end());
  summary.seconds = result.seconds;
  return summary;
}

// --- --show ------------------------------------------------------------------------------------------------------------------

class LitmusNames final : public trace::Names {
 public:
  explicit LitmusNames(const litmus::Test& test) : test_(test) {}
  std::string thread(model::ThreadId thread) const override { return fmt::format("P{}", number(thread)); }
  std::string location(model::LocationId location) const override { return test_.locations[static_cast<std::size_t>(number(location))].name; }
  std::uint32_t line(const model::Event&) const override { return 0; }

 private:
  const litmus::Test& test_;
};

/// Prints each class as it comes.
class Show final : public engine::Observer {
 public:
  Show(const litmus::Test& test, std::string model) : test_(test), names_(test), model_(std::move(model)) {}
  bool finished(const engine::Execution& execution) override {
    const bool complete = execution.ending == engine::Ending::kComplete;
    std::cout << fmt::format("{} {} of {}\n", complete ? "Class" : "Blocked execution", complete ? ++complete_ : ++blocked_, test_.name)
              << report::execution_table(trace::record(execution, names_, test_.name, model_)) << "\n";
    return true;
  }

 private:
  const litmus::Test& test_;
  LitmusNames names_;
  std::string model_;
  std::uint64_t complete_ = 0, blocked_ = 0;
};

// --- the verb ------------------------------------------------------------------------------------------------------------------

/// Runs all tests. The exit code: unexpected behaviour before bounds before fine.
int run(const Request& request) {
  bool failed = false;
  const std::vector<litmus::Test> tests = read_tests(expand(request.files), failed);
  if (failed) return kUsage;
  std::signal(SIGINT, [](int) { interrupt_search(); });
  std::vector<report::LitmusSummary> summaries;
  bool unexpected = false, bounded = false;
  for (const litmus::Test& test : tests) {
    print_notes(test);
    Show show(test, std::string(model::name_of(request.options.model)));
    LitmusResult result;
    try {
      result = search(test, request.options, request.show ? &show : nullptr);
    } catch (const litmus::RuntimeError& error) {
      std::cerr << fmt::format("{}:{}:{}: error: {}\n", test.file, error.position.line, error.position.column, error.what());
      return kUsage;
    }
    summaries.push_back(summarise(test, result, request.options));
    const report::LitmusSummary& summary = summaries.back();
    unexpected |= summary.racy || (!summary.condition_holds && test.quantifier != litmus::Quantifier::kExists);
    bounded |= !summary.bounds.empty();
    if (request.json) std::cout << report::json_line(summary) << std::flush;
    else if (tests.size() == 1) std::cout << report::herd_text(summary);
  }
  if (!request.json && tests.size() > 1) std::cout << report::table(summaries);
  if (request.expect && unexpected) return kBug;
  return bounded ? kBounded : kFine;
}

}  // namespace

void add_litmus_verb(CLI::App& app, int& exit_code) {
  auto request = std::make_shared<Request>();
  CLI::App* verb = app.add_subcommand("litmus", "Explores every behaviour of litmus tests in herd's C syntax");
  static const std::vector<std::pair<std::string, model::Model>> kModels{{"cpp20", model::Model::kCpp20},
                                                                         {"rc11", model::Model::kRc11},
                                                                         {"sc", model::Model::kSc},
                                                                         {"tso", model::Model::kTso}};
  verb->add_option("FILE", request->files, "Litmus files, folders of them, or - for standard input")->required();
  verb->add_option("--model", request->options.model, "The memory model: cpp20 (default), rc11, sc, tso")
      ->transform(CLI::CheckedTransformer(kModels, CLI::ignore_case).description(""))
      ->option_text("MODEL");
  verb->add_flag("--load-buffering", request->options.load_buffering, "Loads may also see values that another thread is certain to store later");
  verb->add_flag("!--no-spurious", request->options.spurious_failures, "A weak compare-exchange never fails without reason");
  verb->add_option("--loop-bound", request->options.loop_bound, "How often a loop's body may run each time the loop is entered (default 8)")
      ->check(CLI::Range(1, 1'000'000).description(""))
      ->option_text("N");
  verb->add_option("--time", request->options.time_limit, "Stop after this many seconds for each test")->check(CLI::PositiveNumber.description(""))->option_text("SECONDS");
  verb->add_option("--executions", request->options.execution_limit, "Stop after this many execution classes of each test")->option_text("N");
  verb->add_flag("--expect", request->expect, "Exit with 1 if a ~exists or forall fails or a test is racy");
  verb->add_flag("--show", request->show, "Print each execution class as a table with what each load reads from");
  verb->add_flag("--json", request->json, "One JSON object a line for each test, on standard output");
  verb->footer("Exit codes: 0 all tests ran, 1 unexpected with --expect, 2 wrong usage or input, 3 a bound cut the search.");
  verb->callback([request, &exit_code] { exit_code = run(*request); });
}

}  // namespace ordeal::tools
