// Programs made of many tests (GoogleTest, Catch2). Checked as a whole their classes multiply, although the tests have nothing to do
// with each other; so each is run by itself, with the framework's own filter. What is here: whether a program is one of these, which
// tests it has, and the arguments that run one of them.
//
// Nothing is taken for granted: a program that does not list its tests is checked as a whole, and a filter that fits more tests than
// one runs them all.
#pragma once

#include <string>
#include <vector>

#include "tools/compiler_arguments.h"

namespace ordeal::tools {

enum class TestFramework { kNone, kGoogleTest, kCatch2 };

/// By the symbols of the program.
TestFramework framework_of(const std::string& program);

struct TestCase {
  std::string name;
  Words arguments;  // of the program: the user's, and a filter for this test
};

/// The tests that the program would run with these arguments; empty: it has none, or does not tell.
std::vector<TestCase> tests_of(const std::string& program, const Words& arguments);

/// Of what `--gtest_list_tests` prints: "Suite.Name". Those that are disabled are left out unless `with_disabled`.
std::vector<std::string> google_test_names(const std::string& listing, bool with_disabled);
/// The filter for one test; characters that mean something in filters fit any.
std::string google_test_filter(const std::string& name);
/// The words that Catch2 takes for one test of this name.
std::string catch2_filter(const std::string& name);
/// The arguments without those that choose tests.
Words without_filter(TestFramework framework, const Words& arguments);

}  // namespace ordeal::tools
