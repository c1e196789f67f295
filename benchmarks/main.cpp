// What ./bench cannot do in Python: the search over a litmus program, measured in a process of its own, and the peak of
// memory of a command. benchmarks/bench calls it and prints the tables.
//   ordeal_bench list                                             JSON: every family and its sizes
//   ordeal_bench litmus FAMILY N [--repeat N] [--model MODEL]     JSON: one program
//   ordeal_bench peak FILE COMMAND…                               runs the command, writes kB to the file
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <nlohmann/json.hpp>

#include "benchmarks/families.h"
#include "benchmarks/peak.h"
#include "litmus/parser.h"
#include "tools/litmus_search.h"

/// The function whose instructions are counted (`--toggle-collect`): a name that callgrind finds.
extern "C" [[gnu::noinline, gnu::used]] void ordeal_bench_search(const ordeal::litmus::Test& test, const ordeal::tools::LitmusOptions& options,
                                                                 ordeal::tools::LitmusResult& result) {
  result = ordeal::tools::search(test, options);
}

namespace ordeal::benchmarks {
namespace {

using Json = nlohmann::ordered_json;

class CountEvents final : public engine::Observer {
 public:
  bool finished(const engine::Execution& execution) override {
    events = std::max(events, execution.graph.size());
    return false;
  }
  int events = 0;
};

model::Model model_named(const std::string& name) {
  for (const auto model : {model::Model::kCpp20, model::Model::kRc11, model::Model::kSc, model::Model::kTso})
    if (model::name_of(model) == name) return model;
  throw std::runtime_error("unknown model '" + name + "'");
}

const Family& family_named(const std::string& name) {
  for (const Family& family : families())
    if (family.name == name) return family;
  throw std::runtime_error("unknown family '" + name + "'");
}

const char* verdict(const tools::LitmusResult& result) {
  if (result.is_racy) return "racy";
  return result.bound_was_hit || !result.limits.empty() ? "bounded" : "verified";
}

/// Every family and its sizes, those of `./bench litmus`.
Json list() {
  Json all = Json::object();
  for (const Family& family : families()) {
    all[family.name] = family.small;
    for (const int n : family.large) all[family.name].push_back(n);
  }
  return all;
}

/// One program: what was found, and the seconds of each run. A first search counts events; it is not timed.
Json measure(const std::string& name, int n, const std::string& model, int repeat) {
  const litmus::Test test = litmus::parse(family_named(name).source(n), name);
  tools::LitmusOptions options;
  options.model = model_named(model);
  CountEvents count;
  tools::search(test, options, &count);
  tools::LitmusResult result;
  Json seconds = Json::array();
  for (int i = 0; i < repeat; ++i) {
    ordeal_bench_search(test, options, result);
    seconds.push_back(result.seconds);
  }
  return {{"verdict", verdict(result)},    {"executions", result.executions}, {"blocked", result.blocked}, {"given_up", result.given_up},
          {"threads", test.threads.size()}, {"events", count.events},         {"seconds", seconds},        {"peak_kb", own_peak_kb()}};
}

}  // namespace
}  // namespace ordeal::benchmarks

int main(int argc, char** argv) {
  using namespace ordeal::benchmarks;
  if (argc > 3 && argv[1] == std::string("peak")) return run_and_write_peak({argv + 3, argv + argc}, argv[2]);
  CLI::App app("The part of ./bench that is no Python", "ordeal_bench");
  app.require_subcommand(1);
  CLI::App* list_command = app.add_subcommand("list", "The families of litmus programs and their sizes");
  std::string family, model = "cpp20";
  int n = 0, repeat = 1;
  CLI::App* litmus = app.add_subcommand("litmus", "Measures one litmus program");
  litmus->add_option("FAMILY", family)->required();
  litmus->add_option("N", n)->required();
  litmus->add_option("--repeat", repeat, "Runs")->check(CLI::Range(1, 1000));
  litmus->add_option("--model", model, "cpp20 (default), rc11, sc or tso");
  CLI11_PARSE(app, argc, argv);
  try {
    fmt::print("{}\n", (list_command->parsed() ? list() : measure(family, n, model, repeat)).dump());
  } catch (const std::exception& error) {
    fmt::print(stderr, "bench: {}\n", error.what());
    return 2;
  }
  return 0;
}
