// Every test of this folder against its .expect file: states, classes, races, and what the literature says.
//
// One case a file. The expectations come from the literature and from the oracle (README.md), never from the explorer.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include "explore/uniqueness.h"
#include "litmus/parser.h"
#include "tools/litmus_search.h"

namespace ordeal::tests {
namespace {

namespace fs = std::filesystem;

struct Expectation {
  std::map<std::string, std::string> states;            // model → text
  std::map<std::string, std::uint64_t> executions;
  std::map<std::string, bool> allowed;                  // literature: model → the condition can be seen
  bool racy = false;
};

std::string read_file(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

Expectation read_expectation(const fs::path& path) {
  Expectation expectation;
  std::istringstream lines(read_file(path));
  for (std::string line; std::getline(lines, line);) {
    const std::size_t colon = line.find(':');
    if (colon == std::string::npos) continue;
    std::istringstream key(line.substr(0, colon));
    std::string kind, model;
    key >> kind >> model;
    const std::string value = line.size() > colon + 2 ? line.substr(colon + 2) : "";
    if (kind == "states") expectation.states[model] = value;
    else if (kind == "executions") expectation.executions[model] = std::stoull(value);
    else if (kind == "racy") expectation.racy = value == "yes";
    else if (kind == "literature") {
      std::istringstream words(value);
      std::string about, verdict;
      words >> about >> verdict;
      if (about != "racy") expectation.allowed[about] = verdict == "Allowed";
    }
  }
  return expectation;
}

std::string text_of(const litmus::Test& test, const litmus::State& state) {
  const auto observables = test.observables();
  std::string text;
  for (std::size_t i = 0; i < state.size(); ++i) {
    const int location = litmus::location_at(state[i]);
    const bool is_address = location >= 0 && location < static_cast<int>(test.locations.size());
    text += (i == 0 ? "" : " ") + test.name_of(observables[i]) + "=" +
            (is_address ? "&" + test.locations[static_cast<std::size_t>(location)].name : std::to_string(state[i]));
  }
  return text;
}

/// "a; b" as a set: the order of states is not what is tested.
std::set<std::string> split(const std::string& text) {
  std::set<std::string> parts;
  std::size_t begin = 0;
  while (begin < text.size()) {
    const std::size_t end = std::min(text.find("; ", begin), text.size());
    parts.insert(text.substr(begin, end - begin));
    begin = end + 2;
  }
  return parts;
}

bool condition_is_seen(const litmus::Test& test, const tools::LitmusResult& result) {
  const auto observables = test.observables();
  for (const auto& entry : result.states) {
    const bool holds = litmus::holds(test.condition, [&](const litmus::Observable& wanted) {
      return entry.first[static_cast<std::size_t>(std::find(observables.begin(), observables.end(), wanted) - observables.begin())];
    });
    if (holds != (test.quantifier == litmus::Quantifier::kForall)) return true;
  }
  return false;
}

struct Setting {
  const char* name;
  model::Model model;
  bool load_buffering;
};

constexpr Setting kSettings[] = {{"cpp20", model::Model::kCpp20, false}, {"rc11", model::Model::kRc11, false},
                         {"sc", model::Model::kSc, false},       {"tso", model::Model::kTso, false},
                         {"cpp20+lb", model::Model::kCpp20, true}, {"rc11+lb", model::Model::kRc11, true}};

class CorpusTest : public testing::TestWithParam<fs::path> {};

TEST_P(CorpusTest, BehavesAsExpected) {
  const Expectation expected = read_expectation(fs::path(GetParam()).replace_extension(".expect"));
  const litmus::Test test = litmus::parse(read_file(GetParam()), GetParam().filename().string());
  ASSERT_FALSE(expected.allowed.empty()) << "no literature line: every test needs an independent reason";
  for (const Setting& run : kSettings) {
    SCOPED_TRACE(run.name);
    tools::LitmusOptions options;
    options.model = run.model;
    options.load_buffering = run.load_buffering;
    explore::Uniqueness uniqueness;
    const tools::LitmusResult result = tools::search(test, options, &uniqueness);
    std::set<std::string> states;
    for (const auto& [state, count] : result.states) states.insert(text_of(test, state));
    ASSERT_TRUE(expected.states.contains(run.name));
    EXPECT_EQ(states, split(expected.states.at(run.name)));
    EXPECT_EQ(result.executions, expected.executions.at(run.name));
    EXPECT_EQ(uniqueness.repeated(), 0u);
    if (run.model == model::Model::kCpp20 && !run.load_buffering) {
      EXPECT_EQ(result.is_racy, expected.racy);
    }
    if (const auto said = expected.allowed.find(run.name); said != expected.allowed.end()) {
      EXPECT_EQ(condition_is_seen(test, result), said->second) << "the literature says otherwise";
    }
  }
}

std::vector<fs::path> corpus() {
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(fs::path(ORDEAL_SOURCE_DIR) / "tests" / "litmus"))
    if (entry.path().extension() == ".litmus") files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

std::string name_of(const testing::TestParamInfo<fs::path>& instance) {
  std::string name = instance.param.parent_path().filename().string() + "_" + instance.param.stem().string();
  for (char& c : name)
    if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
  return name + "_" + std::to_string(instance.index);
}

INSTANTIATE_TEST_SUITE_P(Files, CorpusTest, testing::ValuesIn(corpus()), name_of);

TEST(CorpusSizeTest, HasAtLeastOneHundredAndFiftyTests) { EXPECT_GE(corpus().size(), 150u); }

}  // namespace
}  // namespace ordeal::tests
