#include "tools/litmus.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <optional>
#include <sstream>

#include "analysis/sc_of_search.h"
#include "litmus/code.h"
#include "litmus/parser.h"
#include "model/race.h"
#include "report/cycle_text.h"
#include "report/execution_table.h"
#include "report/litmus_report.h"
#include "tools/check_options.h"
#include "tools/exit_code.h"
#include "tools/litmus_search.h"
#include "tools/output_files.h"
#include "tools/usage.h"
#include "trace/trace.h"

namespace ordeal::tools {
namespace {

constexpr const char* kStandardInput = "standard input";

struct Request {
  std::vector<std::string> files;
  LitmusOptions options;
  bool json = false;
  bool show = false;
  bool expect = false;
  bool sc_analysis = false;
  bool require_sc = false;
  OutputNames output;
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
      if (entry.path().extension() == ".litmus" && !entry.is_directory()) files.push_back(entry.path().string());
    if (files.size() == first) throw std::runtime_error(fmt::format("there are no .litmus files in the folder '{}'", argument));
    std::sort(files.begin() + static_cast<std::ptrdiff_t>(first), files.end());
  }
  if (std::count(files.begin(), files.end(), "-") > 1) throw std::runtime_error("standard input (-) can be read only once");
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
  if (file.bad()) throw std::runtime_error(fmt::format("cannot read '{}': {}", name, std::strerror(errno)));
  return text.str();
}

/// All tests, or (with every message printed) none: nothing runs if something cannot be read.
std::vector<litmus::Test> read_tests(const std::vector<std::string>& files, bool& failed) {
  std::vector<litmus::Test> tests;
  for (const std::string& file : files) {
    try {
      tests.push_back(litmus::parse(read_file(file), file == "-" ? kStandardInput : file));
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
  LitmusNames(const litmus::Test& test, int loop_bound) : test_(test) {
    for (const litmus::Thread& thread : test.threads) code_.push_back(litmus::compile(thread, loop_bound));
  }
  std::string thread(model::ThreadId thread) const override { return fmt::format("P{}", number(thread)); }
  std::string location(model::LocationId location) const override { return test_.locations[static_cast<std::size_t>(number(location))].name; }
  std::uint32_t line(const model::Event& event) const override {
    const auto& instructions = code_[static_cast<std::size_t>(number(event.thread))].instructions;
    return event.access.site < instructions.size() ? static_cast<std::uint32_t>(instructions[event.access.site].position.line) : 0;
  }

 private:
  const litmus::Test& test_;
  std::vector<litmus::ThreadCode> code_;
};

/// Prints each class as it comes, or puts it on the page.
class Show final : public engine::Observer {
 public:
  Show(const litmus::Test& test, const LitmusOptions& options, bool prints, OutputFiles& output)
      : test_(test), names_(test, options.loop_bound), model_(model::name_of(options.model)), prints_(prints), output_(output) {}
  bool finished(const engine::Execution& execution) override {
    const bool complete = execution.ending == engine::Ending::kComplete;
    const std::string title = fmt::format("{} {} of {}", complete ? "Class" : "Blocked execution", complete ? ++complete_ : ++blocked_, test_.name);
    const trace::Trace trace = trace::record(execution, names_, test_.name, model_);
    output_.add(trace, title, test_.file);
    if (prints_) std::cout << title << "\n" << report::execution_table(trace) << "\n";
    return std::cout.good();  // otherwise nobody is listening any more
  }

 private:
  const litmus::Test& test_;
  LitmusNames names_;
  std::string model_;
  bool prints_;
  OutputFiles& output_;
  std::uint64_t complete_ = 0, blocked_ = 0;
};

// --- --sc-analysis and --require-sc ----------------------------------------------------------------------------------------------

/// Counts interleavings among complete classes; keeps the first that is none.
class ScCount final : public engine::Observer {
 public:
  ScCount(const litmus::Test& test, const LitmusOptions& options) : test_(test), names_(test, options.loop_bound), model_(model::name_of(options.model)) {}
  bool finished(const engine::Execution& execution) override {
    if (execution.ending != engine::Ending::kComplete) return true;
    const analysis::Sc answer = sc_.decide(execution.graph);
    if (answer == analysis::Sc::kNo && counts.not_sc == 0) first_ = trace::record(execution, names_, test_.name, model_);
    ++(answer == analysis::Sc::kYes ? counts.sc : answer == analysis::Sc::kNo ? counts.not_sc : counts.undecided);
    return true;
  }
  /// The first that is no interleaving, and why; empty: there is none.
  std::string text() const {
    if (counts.not_sc == 0) return "";
    return fmt::format("The first class of {} that no interleaving of the threads explains\n{}\n{}\n", test_.name, report::cycle_text(report::Rows(first_)),
                       report::execution_table(first_, {}, {0, report::Length::kFull}));
  }
  const trace::Trace& first() const { return first_; }
  trace::ScCounts counts;

 private:
  const litmus::Test& test_;
  LitmusNames names_;
  std::string model_;
  analysis::ScOfSearch sc_;
  trace::Trace first_;
};

// --- --sarif -----------------------------------------------------------------------------------------------------------------

/// Keeps the executions that show what --expect makes a failure.
class Findings final : public LitmusWitness {
 public:
  Findings(const litmus::Test& test, const LitmusOptions& options) : test_(test), names_(test, options.loop_bound), model_(model::name_of(options.model)) {}
  void racy(const engine::Execution& execution) override {
    const std::optional<model::Race> race = model::find_race(execution.graph);
    if (!race) return;
    report::LitmusFinding found = finding("data-race", trace::BugKind::kDataRace, trace::record(execution, names_, test_.name, model_));
    for (const model::Slot slot : {race->second, race->first}) {
      const model::Event& event = execution.graph.event(slot);
      trace::Party party;
      party.thread = number(event.thread);
      party.before = event.index;
      party.what = event.kind == model::EventKind::kWrite ? "writes" : "reads";
      const std::string text = fmt::format("P{} {} {}", party.thread, party.what, names_.location(event.location));
      found.bug.parties.push_back(std::move(party));
      if (found.line == 0) found.line = names_.line(event);
      else found.others.emplace_back(names_.line(event), text);
    }
    all.push_back(std::move(found));
  }
  void unexpected(const engine::Execution& execution) override {
    report::LitmusFinding found = finding("condition", trace::BugKind::kAssertion, trace::record(execution, names_, test_.name, model_));
    found.text = fmt::format("{}: {} does not hold", test_.name, test_.condition_text);
    found.line = static_cast<std::uint32_t>(test_.condition_position.line);
    all.push_back(std::move(found));
  }
  void not_sc(const trace::Trace& trace) {
    report::LitmusFinding found = finding("not-sc", trace::BugKind::kNotSc, trace);
    const report::Rows rows(trace);
    found.text = fmt::format("{}: no interleaving of the threads explains this class. {}", test_.name, report::cycle_text(rows));
    if (found.text.ends_with('.')) found.text.pop_back();
    for (const std::size_t event : rows.events())
      if (found.line == 0 && rows.is_surprising(event)) found.line = trace.events[event].line;
    all.push_back(std::move(found));
  }
  std::vector<report::LitmusFinding> all;

 private:
  report::LitmusFinding finding(const char* rule, trace::BugKind kind, trace::Trace trace) const {
    report::LitmusFinding found;
    found.rule = rule;
    found.test = test_.name;
    found.file = test_.file == kStandardInput ? "" : test_.file;
    found.bug.kind = kind;
    found.bug.trace = std::move(trace);
    return found;
  }

  const litmus::Test& test_;
  LitmusNames names_;
  std::string model_;
};

/// Those of them that were asked for.
class Observers final : public engine::Observer {
 public:
  void add(engine::Observer& observer) { all_.push_back(&observer); }
  bool finished(const engine::Execution& execution) override {
    bool goes_on = true;
    for (engine::Observer* observer : all_) goes_on = observer->finished(execution) && goes_on;
    return goes_on;
  }

 private:
  std::vector<engine::Observer*> all_;
};

// --- the verb ------------------------------------------------------------------------------------------------------------------

std::atomic<bool> interrupted{false};

/// The first Ctrl-C ends the search early, the second one the command.
void handle_interrupts() {
  std::signal(SIGINT, [](int) {
    interrupted = true;
    interrupt_search();
    std::signal(SIGINT, SIG_DFL);
  });
}

/// What the tests showed, and the exit code that this means.
class Run {
 public:
  Run(const Request& request, std::size_t tests)
      : request_(request), options_(request.options), tests_(tests), output_(request.output, tests == 1 ? request.files.front() : report::plural(tests, "litmus test")) {
    if (!options_.load_buffering || !model::Consistency(options_.model).mo_is_explicit()) return;
    std::cerr << fmt::format("ordeal: --load-buffering changes nothing in the model {}\n", model::name_of(options_.model));
    options_.load_buffering = false;
  }

  void add(const litmus::Test& test) {
    ++done_;
    print_notes(test);
    Show show(test, options_, request_.show, output_);
    ScCount sc(test, options_);
    Observers observers;
    if (request_.show || output_.want_executions()) observers.add(show);
    const bool counts_sc = request_.sc_analysis || request_.require_sc;
    if (counts_sc) observers.add(sc);
    Findings findings(test, options_);
    LitmusWitness* const witness = output_.want_sarif() && request_.expect ? &findings : nullptr;
    try {
      summaries_.push_back(summarise(test, search(test, options_, &observers, witness), options_));
    } catch (const litmus::RuntimeError& error) {
      std::cerr << fmt::format("{}:{}:{}: error: {}\n", test.file, error.position.line, error.position.column, error.what());
      output_.add(report::JUnitCase::error(test.file, test.name, error.what()));
      output_.sarif().notify(fmt::format("{}:{}:{}: {}", test.file, error.position.line, error.position.column, error.what()), true);
      failed_ = true;
      return;
    }
    report::LitmusSummary& summary = summaries_.back();
    if (counts_sc) summary.sc = sc.counts;
    not_sc_ |= request_.require_sc && sc.counts.not_sc > 0;
    undecided_ |= request_.require_sc && sc.counts.undecided > 0;
    output_.add(junit_case(summary));
    if (request_.require_sc && sc.counts.not_sc > 0) findings.not_sc(sc.first());
    if (output_.want_sarif()) add_to_sarif(summary, findings);
    unexpected_ |= summary.racy || (!summary.condition_holds && test.quantifier != litmus::Quantifier::kExists);
    bounded_ |= !summary.bounds.empty();
    if (request_.json) std::cout << report::json_line(summary) << std::flush;
    else if (tests_ == 1) std::cout << sc.text() << report::herd_text(summary);
  }

  /// With --require-sc one that is no interleaving is a failure, too.
  report::JUnitCase junit_case(const report::LitmusSummary& summary) const {
    report::JUnitCase shown = report::junit_case(summary);
    const bool is_weak = request_.require_sc && summary.sc && summary.sc->not_sc + summary.sc->undecided > 0;
    if (!is_weak || shown.outcome != report::JUnitCase::Outcome::kPassed) return shown;
    shown.outcome = summary.sc->not_sc > 0 ? report::JUnitCase::Outcome::kFailure : report::JUnitCase::Outcome::kError;
    shown.type = "not-sc";
    shown.message = report::sc_line(*summary.sc);
    shown.text = report::herd_text(summary);
    return shown;
  }

  void add_to_sarif(const report::LitmusSummary& summary, Findings& findings) {
    for (report::LitmusFinding& found : findings.all) {
      if (found.rule == "data-race") found.text = fmt::format("{}: data race: {}, unordered", summary.name, summary.race);
      output_.sarif().add(found);
    }
    for (const std::string& bound : summary.bounds) output_.sarif().notify(fmt::format("{} ({}): not all was explored: {}", summary.name, summary.file, bound), false);
    if (request_.require_sc && summary.sc && summary.sc->undecided > 0) output_.sarif().notify(fmt::format("{} ({}): {}", summary.name, summary.file, report::sc_line(*summary.sc)), false);
  }

  void add_not_run(const litmus::Test& test) {
    output_.add(report::JUnitCase::not_run(test.file, test.name));
    output_.sarif().notify(fmt::format("{} ({}): not run", test.name, test.file), false);
  }

  /// Broken input comes before unexpected behaviour, that before bounds, those before fine.
  int finish() {
    if (!request_.json && tests_ > 1 && !summaries_.empty()) std::cout << report::table(summaries_);
    if (!std::cout.flush()) {
      std::cerr << "ordeal: cannot write to standard output\n";
      return kUsage;
    }
    if (done_ < tests_) std::cerr << fmt::format("ordeal: interrupted; not run: {}\n", report::plural(tests_ - done_, "test"));
    output_.page().set_summary("", std::string(model::name_of(options_.model)), tests_ == 1 && summaries_.size() == 1 ? report::herd_text(summaries_.front()) : summaries_.empty() ? "" : report::table(summaries_));
    return output_.write(exit_code(), "no test has an execution with an event");
  }

 private:
  int exit_code() const {
    if (failed_) return kUsage;
    if ((request_.expect && unexpected_) || not_sc_) return kBug;
    return bounded_ || undecided_ || done_ < tests_ ? kBounded : kFine;
  }

  const Request& request_;
  LitmusOptions options_;
  std::size_t tests_, done_ = 0;
  std::vector<report::LitmusSummary> summaries_;
  OutputFiles output_;
  bool failed_ = false, unexpected_ = false, bounded_ = false, not_sc_ = false, undecided_ = false;
};

int run(const Request& request) {
  bool failed = false;
  const std::vector<litmus::Test> tests = read_tests(expand(request.files), failed);
  if (failed) return kUsage;
  handle_interrupts();
  Run run(request, tests.size());
  for (const litmus::Test& test : tests) {
    if (!interrupted && std::cout.good()) run.add(test);
    else run.add_not_run(test);
  }
  return run.finish();
}

// --- the command line ----------------------------------------------------------------------------------------------------------

model::Model model_named(const std::string& name) {
  for (const model::Model model : {model::Model::kRc11, model::Model::kSc, model::Model::kTso})
    if (model::name_of(model) == name) return model;
  return model::Model::kCpp20;
}

}  // namespace

void add_litmus_verb(CLI::App& app, int& exit_code) {
  auto request = std::make_shared<Request>();
  CLI::App* verb = app.add_subcommand("litmus", "Explores every behaviour of litmus tests in herd's C syntax")->group("Verbs");
  LitmusOptions& options = request->options;
  verb->add_option("FILE", request->files, "Litmus files, folders of them, or - for standard input")->required()->option_text("...");
  verb->add_option_function<std::string>(
          "--model", [request](const std::string& name) { request->options.model = model_named(name); },
          "The memory model: cpp20 (default), rc11, sc or tso")
      ->check(one_of({"cpp20", "rc11", "sc", "tso"}))
      ->type_name("MODEL");
  verb->add_flag("--load-buffering", options.load_buffering, "A load may see what another thread is sure to store later");
  verb->add_flag_callback("--no-spurious", [request] { request->options.spurious_failures = false; },
                          "A weak compare-exchange never fails without reason");
  verb->add_option("--loop-bound", options.loop_bound, "Turns of a loop each time it is entered (default 8)")
      ->check(whole_number(1'000'000))
      ->type_name("N");
  verb->add_option("--time", options.time_limit, "Stop each test after this time")->check(seconds())->type_name("SECONDS");
  verb->add_option("--executions", options.execution_limit, "Stop each test after this many execution classes")
      ->check(whole_number())
      ->type_name("N");
  verb->add_flag("--expect", request->expect, "Exit with 1 if a ~exists or forall fails or a test is racy");
  verb->add_flag("--sc-analysis", request->sc_analysis, "Count the classes that are interleavings; show the first other");
  verb->add_flag("--require-sc", request->require_sc, "The same; exit with 1 if there is one");
  verb->add_flag("--show", request->show, "Print each execution class as a table: who reads what");
  add_output_options(*verb, request->output);
  verb->add_flag("--json", request->json, "Print one JSON object a line, one for each test");
  verb->footer(
      "Exit codes:\n"
      "  0  all tests ran, whatever they showed\n"
      "  1  with --expect: a ~exists or forall failed, or a test is racy\n"
      "     with --require-sc: a class is no interleaving of the threads\n"
      "  2  wrong usage, or input that cannot be understood\n"
      "  3  a bound, a limit or Ctrl-C cut the search");
  verb->callback([request, &exit_code] {
    if (request->json && request->show) throw CLI::ValidationError("--show and --json do not go together");
    if (!request->output.junit.empty() && !request->expect) throw CLI::ValidationError("--junit needs --expect: without it no test can fail");
    if (!request->output.sarif.empty() && !request->expect && !request->require_sc) throw CLI::ValidationError("--sarif needs --expect or --require-sc: without them no test can fail");
    exit_code = run(*request);
  });
}

}  // namespace ordeal::tools
