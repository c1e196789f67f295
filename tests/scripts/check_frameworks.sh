#!/usr/bin/env bash
# `ordeal check` of programs made with GoogleTest and Catch2: each test is checked by itself, with a verdict for all.
set -euo pipefail
. "$ORDEAL_SOURCE_DIR/tests/support/native.bash"
[[ $tree != "$work/tree" ]] || exit 0 # no runtime here

json() { python3 -c "import json; r = json.load(open('stdout')); t = {e['name']: e for e in r.get('tests', [])}; assert $1, r" || fail "wrong JSON: $1"; }

# Two increments have 2! classes; two that load and store can both read 0, and then one is lost.
cat >queue.cpp <<'END'
#include <gtest/gtest.h>
#include <atomic>
#include <thread>
#include <ordeal/ordeal.h>
struct Counter : testing::Test {
  std::atomic<int> x{0};
  template <class F> void twice(F add) { std::thread a(add), b(add); a.join(); b.join(); }
};
TEST_F(Counter, AddsUp) { twice([&] { x.fetch_add(1); }); EXPECT_EQ(x, 2); }
TEST_F(Counter, LosesOne) { twice([&] { x.store(x.load() + 1); }); EXPECT_EQ(x, 2) << "one is lost"; }
TEST(Race, Plain) { int y = 0; std::thread a([&] { y = 1; }); y = 2; a.join(); EXPECT_GT(y, 0); }
TEST(Ordeal, Chooses) { ordeal_assume(true); EXPECT_LT(ordeal_choose(3), 3U); }
TEST(Other, DISABLED_Fails) { FAIL(); }
class Parts : public testing::TestWithParam<int> {};
TEST_P(Parts, Positive) { EXPECT_GT(GetParam(), 0); }
INSTANTIATE_TEST_SUITE_P(All, Parts, testing::Values(1, 2));
TEST(Death, Dies) { EXPECT_DEATH(std::abort(), ""); }
END

for compiler in g++ clang++; do
  ORDEAL_CXX=$compiler "$ordeal" c++ -O1 -g -std=c++20 queue.cpp -o "queue-$compiler" -lgtest -lgtest_main
  run "$ordeal" check "./queue-$compiler" && exits 1
  has stdout 'verified: all 2 execution classes of Counter.AddsUp, model cpp20 (0 blocked)'
  has stdout 'bug: 1 bug in 1 execution of Counter.LosesOne'
  has stdout '| one is lost'
  has stdout "data race on 'y'"
  has stdout 'verified: all 3 execution classes of Ordeal.Chooses'
  has stdout 'verified: the only execution class of All/Parts.Positive/1'
  has stdout 'cannot check Death.Dies: fork'
  has_not stdout DISABLED
  has_not stdout 'not instrumented'
  has stdout '7 tests of'
  has stdout ': 2 with a bug (Counter.LosesOne, Race.Plain), 1 cannot be checked (Death.Dies), 4 verified;'
  [[ $(head -n 1 stdout) == verified:* && $(tail -n 2 stdout | head -n 1) == bug:* ]] || fail "wrong order"
  # Each bug has its replay file, which knows its test.
  has stdout "ordeal replay ordeal-queue-$compiler-Counter.LosesOne-exit-code.replay"
  has stdout "ordeal replay ordeal-queue-$compiler-Race.Plain-data-race.replay"
  run "$ordeal" replay "ordeal-queue-$compiler-Counter.LosesOne-exit-code.replay" && exits 1 && has stdout '| one is lost'
  run "$ordeal" replay "ordeal-queue-$compiler-Race.Plain-data-race.replay" && exits 1 && has stdout "data race on 'y'"
done

# The verdict for all is the worst; the user's filter is kept, also with one test only, which has the usual report.
run "$ordeal" check ./queue-g++ --gtest_filter='Counter.A*:All/*' && exits 0 && has stdout 'verified: 3 tests of ./queue-g++, each by itself: 3 verified; 4 executions'
run "$ordeal" check ./queue-g++ --gtest_filter='Counter.A*:Death.*' && exits 4 && has stdout 'cannot check: 2 tests'
run "$ordeal" check --executions 1 ./queue-g++ --gtest_filter='Counter.A*:All/*' && exits 3 && has stdout 'bounded: 3 tests'
run "$ordeal" check ./queue-g++ --gtest_filter=Counter.AddsUp && exits 0 && has stdout 'execution classes of ./queue-g++'
GTEST_FILTER='All/*' run "$ordeal" check ./queue-g++ && exits 0 && has stdout '2 tests'
GTEST_TOTAL_SHARDS=2 GTEST_SHARD_INDEX=1 run "$ordeal" check ./queue-g++ --gtest_filter='*Loses*:All/*:*Chooses*:*AddsUp*'
has stdout '1 execution of Counter.LosesOne' # the second of the five, so the other shard's would be a pass
run "$ordeal" check ./queue-g++ --gtest_also_run_disabled_tests --gtest_filter='Other.*:All/*' && exits 1 && has stdout '1 execution of Other.DISABLED_Fails'

# From sources, and as JSON: one object.
run "$ordeal" check --json queue.cpp -- -lgtest -lgtest_main -- --gtest_filter='-Death.*' && exits 1
json 'r["verdict"] == "bug" and r["program"] == "queue.cpp" and len(t) == 6'
json 't["Counter.AddsUp"]["verdict"] == "verified" and t["Counter.AddsUp"]["executions"] == 2'
json '[(b["test"], b["kind"]) for b in r["bugs"]] == [("Counter.LosesOne", "exit-code"), ("Race.Plain", "data-race")]'
json '"one is lost" in r["bugs"][0]["output"] and t["Race.Plain"]["bugs"][0]["events"]'

# A main of its own that takes no arguments does not list its tests: it is checked as a whole.
printf '%s\n' '#include <gtest/gtest.h>' 'TEST(A, x) {}' 'TEST(A, y) {}' \
  'int main() { int none = 0; testing::InitGoogleTest(&none, static_cast<char**>(nullptr)); return RUN_ALL_TESTS(); }' >whole.cpp
run "$ordeal" check whole.cpp -- -lgtest && exits 0 && has stdout 'the only execution class of whole.cpp'

# Catch2; the names of its tests are any text.
cat >cases.cpp <<'END'
#define CATCH_CONFIG_MAIN
#include <catch2/catch.hpp>
#include <atomic>
#include <thread>
template <class F> void twice(F add) { std::thread a(add), b(add); a.join(); b.join(); }
TEST_CASE("adds up", "[counter]") { std::atomic<int> x{0}; twice([&] { x++; }); REQUIRE(x == 2); }
TEST_CASE("loses, [one] \"x\"", "[counter]") { std::atomic<int> x{0}; twice([&] { x = x + 1; }); REQUIRE(x == 2); }
TEST_CASE("alone") { REQUIRE(true); }
END
"$ordeal" c++ -O0 -g -std=c++20 cases.cpp -o cases
run "$ordeal" check ./cases && exits 1
has stdout 'verified: all 2 execution classes of adds up'
has stdout '1 bug in 1 execution of loses, [one] "x"'
has stdout '|   REQUIRE( x == 2 )'
has stdout '3 tests of ./cases, each by itself: 1 with a bug (loses, [one] "x"), 2 verified;'
run "$ordeal" check ./cases '[counter]' && exits 1 && has stdout '2 tests of ./cases'
run "$ordeal" check ./cases '~[counter]' && exits 0 && has stdout 'the only execution class of ./cases'

# Rounds: no note where there are few executions (6^3 = 216), or where a thread goes on beside them.
printf '%s\n' '#include <atomic>' '#include <thread>' 'std::atomic<int> x; void twice() { x++; x++; }' \
  'void round() { std::thread a(twice), b(twice); a.join(); b.join(); }' \
  'int main() { for (int i = 0; i < 3; ++i) round(); }' >rounds.cpp
run "$ordeal" check rounds.cpp && exits 0 && has_not stdout note
run "$ordeal" check --executions 5 rounds.cpp && exits 3 && has stdout 'main joins all its threads 3 times'
sed -i 's/int main() {/& std::thread(twice).detach();/' rounds.cpp
run "$ordeal" check --executions 5 rounds.cpp && exits 3 && has_not stdout 'joins all'
no_temporaries
