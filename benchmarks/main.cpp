// `./bench`: measures the explorer and prints a table. `./bench litmus [FAMILY…] [--json] [--repeat N]`.
#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <nlohmann/json.hpp>

#include "benchmarks/families.h"
#include "litmus/parser.h"
#include "report/litmus_report.h"
#include "tools/litmus_search.h"

namespace ordeal::benchmarks {
namespace {

struct Request {
  std::vector<std::string> names;
  bool json = false;
  int repeat = 3;
  std::string model = "cpp20";
};

struct Measurement {
  std::uint64_t classes = 0, blocked = 0, given_up = 0;
  int events = 0, threads = 0;
  double best = 0, worst = 0;  // seconds
  long peak_kb = 0;
};

class CountEvents final : public engine::Observer {
 public:
  bool finished(const engine::Execution& execution) override {
    events = execution.graph.size();
    return false;
  }
  int events = 0;
};

model::Model model_named(const std::string& name) {
  for (const auto model : {model::Model::kCpp20, model::Model::kRc11, model::Model::kSc, model::Model::kTso})
    if (model::name_of(model) == name) return model;
  throw std::runtime_error("unknown model '" + name + "'");
}

Measurement measure_here(const litmus::Test& test, const Request& request) {
  tools::LitmusOptions options;
  options.model = model_named(request.model);
  Measurement m;
  CountEvents count;
  tools::search(test, options, &count);
  m.events = count.events;
  m.threads = static_cast<int>(test.threads.size());
  for (int i = 0; i < request.repeat; ++i) {
    const tools::LitmusResult result = tools::search(test, options);
    m.classes = result.executions;
    m.blocked = result.blocked;
    m.given_up = result.given_up;
    m.best = i == 0 ? result.seconds : std::min(m.best, result.seconds);
    m.worst = std::max(m.worst, result.seconds);
  }
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  m.peak_kb = usage.ru_maxrss;
  return m;
}

/// In a child, so that its peak of memory is its own.
Measurement measure(const litmus::Test& test, const Request& request) {
  int pipes[2];
  if (pipe(pipes) != 0) throw std::runtime_error("cannot make a pipe");
  const pid_t child = fork();
  if (child == 0) {
    const Measurement m = measure_here(test, request);
    const bool written = write(pipes[1], &m, sizeof m) == static_cast<ssize_t>(sizeof m);
    _exit(written ? 0 : 1);
  }
  close(pipes[1]);
  Measurement m;
  const bool complete = read(pipes[0], &m, sizeof m) == static_cast<ssize_t>(sizeof m);
  close(pipes[0]);
  int status = 0;
  waitpid(child, &status, 0);
  if (!complete) throw std::runtime_error("the measurement of " + test.name + " did not end well");
  return m;
}

void print(const litmus::Test& test, const Measurement& m, const Request& request) {
  const double us = m.best * 1e6 / static_cast<double>(std::max<std::uint64_t>(1, m.classes + m.blocked));
  if (request.json) {
    const nlohmann::ordered_json json{{"name", test.name}, {"threads", m.threads}, {"events", m.events}, {"classes", m.classes},
                                      {"blocked", m.blocked}, {"seconds", m.best}, {"us_per_class", us}, {"peak_kb", m.peak_kb}};
    fmt::print("{}\n", json.dump());
  } else {
    fmt::print("{:<16} {:>7} {:>7} {:>12} {:>10} {:>9} {:>8.2f} {:>7.0f}% {:>8.1f}\n", test.name, m.threads, m.events, report::grouped(m.classes),
               report::grouped(m.given_up), report::duration(m.best), us, 100 * (m.worst - m.best) / m.best, static_cast<double>(m.peak_kb) / 1024);
  }
  std::fflush(stdout);
}

void run(const Request& request) {
  if (!request.json)
    fmt::print("{:<16} {:>7} {:>7} {:>12} {:>10} {:>9} {:>8} {:>8} {:>8}\n", "program", "threads", "events", "classes", "dead ends", "time", "µs/class", "spread", "peak MB");
  for (const Family& family : families()) {
    if (!request.names.empty() && std::find(request.names.begin(), request.names.end(), family.name) == request.names.end()) continue;
    std::vector<int> sizes = family.small;
    sizes.insert(sizes.end(), family.large.begin(), family.large.end());
    for (const int n : sizes) {
      const litmus::Test test = litmus::parse(family.source(n), family.name);
      print(test, measure(test, request), request);
    }
  }
}

}  // namespace
}  // namespace ordeal::benchmarks

int main(int argc, char** argv) {
  ordeal::benchmarks::Request request;
  CLI::App app("Measures Ordeal. No part of the tests: machines are noisy, compare ratios of one run.", "bench");
  app.require_subcommand(1);
  CLI::App* litmus = app.add_subcommand("litmus", "Families of litmus programs with a parameter");
  litmus->add_option("FAMILY", request.names, "Only these families");
  litmus->add_flag("--json", request.json, "One JSON object a line");
  litmus->add_option("--repeat", request.repeat, "Runs of each program; the best counts (default 3)")->check(CLI::Range(1, 1000));
  litmus->add_option("--model", request.model, "cpp20 (default), rc11, sc or tso");
  CLI11_PARSE(app, argc, argv);
  try {
    ordeal::benchmarks::run(request);
  } catch (const std::exception& error) {
    fmt::print(stderr, "bench: {}\n", error.what());
    return 2;
  }
  return 0;
}
