#include "tools/test_framework.h"

#include <algorithm>
#include <cstdlib>
#include <sstream>
#include <string_view>

#include "tools/checked_run.h"
#include "tools/elf_file.h"

namespace ordeal::tools {
namespace {

/// Whether lines as these can be names of tests: a program that ran its tests instead of listing them says other things.
bool is_plain_name(std::string_view name) {
  return !name.empty() && name.find_first_of(" \t") == std::string_view::npos;
}

Words with(const Words& words, std::initializer_list<std::string> more) {
  Words all = words;
  all.insert(all.end(), more);
  return all;
}

bool wants_disabled(const Words& arguments) {
  const char* variable = std::getenv("GTEST_ALSO_RUN_DISABLED_TESTS");
  const bool by_argument = std::any_of(arguments.begin(), arguments.end(), [](const std::string& word) {
    return word.find("gtest_also_run_disabled_tests") != std::string::npos;
  });
  return by_argument || (variable != nullptr && *variable != '\0' && *variable != '0');
}

std::vector<TestCase> google_tests(const std::string& program, const Words& arguments) {
  const RunOutput listing = run_once(program, with(arguments, {"--gtest_list_tests"}));
  std::vector<TestCase> tests;
  if (listing.exit_code != 0) return tests;
  unsetenv("GTEST_TOTAL_SHARDS");  // these are the tests of this shard; one alone must not be another's
  const Words rest = without_filter(TestFramework::kGoogleTest, arguments);
  for (const std::string& name : google_test_names(listing.text, wants_disabled(arguments)))
    tests.push_back({name, with(rest, {"--gtest_filter=" + google_test_filter(name)})});
  return tests;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> lines;
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

/// Version 2 has an option for the names alone, and exits with their number; version 3 exits with 0.
std::vector<TestCase> catch2_tests(const std::string& program, const Words& arguments) {
  const RunOutput two = run_once(program, with(arguments, {"--list-test-names-only"}));
  const std::vector<std::string> names_of_two = lines_of(two.text);
  const bool is_two =
      !names_of_two.empty() && two.exit_code == static_cast<int>(std::min<std::size_t>(names_of_two.size(), 255));
  const RunOutput three =
      is_two ? RunOutput{} : run_once(program, with(arguments, {"--list-tests", "--verbosity", "quiet"}));
  std::vector<TestCase> tests;
  if (!is_two && three.exit_code != 0) return tests;
  const Words rest = without_filter(TestFramework::kCatch2, arguments);
  for (const std::string& name : is_two ? names_of_two : lines_of(three.text)) {
    tests.push_back({name, with(rest, {catch2_filter(name)})});
    if (is_two)
      tests.back().arguments.insert(tests.back().arguments.end(), {"--warn", "NoTests"});  // version 3 fails by itself
  }
  return tests;
}

}  // namespace

TestFramework framework_of(const std::string& program) {
  if (has_symbol(program, "_ZN7testing8UnitTest3RunEv")) return TestFramework::kGoogleTest;
  if (has_symbol(program, "_ZN5Catch7Session3runEv")) return TestFramework::kCatch2;
  return TestFramework::kNone;
}

std::vector<TestCase> tests_of(const std::string& program, const Words& arguments) {
  switch (framework_of(program)) {
    case TestFramework::kGoogleTest: return google_tests(program, arguments);
    case TestFramework::kCatch2: return catch2_tests(program, arguments);
    case TestFramework::kNone: break;
  }
  return {};
}

// Running main() from …
// Suite.
//   Name
// Typed/0.  # TypeParam = int
//   Name/1  # GetParam() = 4
std::vector<std::string> google_test_names(const std::string& listing, bool with_disabled) {
  std::vector<std::string> names;
  std::string suite;
  for (std::string line : lines_of(listing)) {
    line = line.substr(0, line.find("  # "));
    const bool is_test = line.starts_with("  ");
    if (is_test) line.erase(0, 2);
    const bool is_suite = !is_test && is_plain_name(line) && line.ends_with('.');
    if (is_suite) suite = line;
    if (is_suite || (!is_test && suite.empty())) continue;  // before the first suite main() may print what it likes
    if (!is_test || suite.empty() || line.empty()) return {};
    const bool is_disabled = line.starts_with("DISABLED_") || suite.starts_with("DISABLED_") ||
                             suite.find("/DISABLED_") != std::string::npos;
    if (with_disabled || !is_disabled) names.push_back(suite + line);
  }
  return names;
}

std::string google_test_filter(const std::string& name) {
  std::string filter = name;
  for (char& letter : filter)
    if (letter == ':' || letter == '-') letter = '?';
  return filter;
}

std::string catch2_filter(const std::string& name) {
  std::string filter;
  for (const char letter : name) {
    if (std::string_view(",[]\"\\~").find(letter) != std::string_view::npos) filter += '\\';
    filter += letter;
  }
  return filter;
}

Words without_filter(TestFramework framework, const Words& arguments) {
  Words rest;
  for (const std::string& word : arguments) {
    const bool chooses = framework == TestFramework::kGoogleTest
                             ? word.starts_with("--gtest_filter=") || word.starts_with("-gtest_filter=")
                             : !word.starts_with('-') && (rest.empty() || !rest.back().starts_with('-'));
    if (!chooses) rest.push_back(word);
  }
  return rest;
}

}  // namespace ordeal::tools
