// Load buffering: executions with a cycle in po ∪ rf, by certified promises.
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "notation.h"
#include "oracle/oracle.h"

namespace ordeal::oracle {
namespace {

using testing::Notation;
using testing::Part;
using testing::reaches;

Result run_lb(const litmus::Test& test, Model model = Model::kCpp20, bool load_buffering = true) {
  Options options;
  options.model = model;
  options.load_buffering = load_buffering;
  return run(test, options);
}

/// Whether the part is reached with load buffering; without, it never is.
bool buffered(const std::vector<std::string>& threads, const Part& part) {
  const auto test = Notation::parse(threads);
  EXPECT_FALSE(reaches(test, run_lb(test, Model::kCpp20, false), part));
  EXPECT_FALSE(reaches(test, run_lb(test, Model::kSc), part));
  EXPECT_FALSE(reaches(test, run_lb(test, Model::kTso), part));
  const bool cpp20 = reaches(test, run_lb(test), part);
  EXPECT_EQ(cpp20, reaches(test, run_lb(test, Model::kRc11), part));
  return cpp20;
}

const Part both{{"0:r0", 1}, {"1:r0", 1}};

TEST(LoadBuffering, RelaxedIsAllowedAndCountedOnce) {
  const std::vector<std::string> lb{"R r0 x rlx; W y 1 rlx", "R r0 y rlx; W x 1 rlx"};
  EXPECT_TRUE(buffered(lb, both));
  const auto test = Notation::parse(lb);
  EXPECT_EQ(run_lb(test, Model::kCpp20, false).executions, 3U);
  EXPECT_EQ(run_lb(test).executions, 4U);
  EXPECT_EQ(run_lb(test).states.size(), 4U);
}

TEST(LoadBuffering, SynchronisationForbidsIt) {
  EXPECT_FALSE(buffered({"R r0 x acq; W y 1 rel", "R r0 y acq; W x 1 rel"}, both));
  EXPECT_FALSE(buffered({"R r0 x sc; W y 1 sc", "R r0 y sc; W x 1 sc"}, both));
  EXPECT_FALSE(buffered({"R r0 x rlx; W y 1 rel", "R r0 y acq; W x 1 rlx"}, both));
  EXPECT_FALSE(buffered({"R r0 x rlx; F rel; W y 1 rlx", "R r0 y rlx; F acq; W x 1 rlx"}, both));
  EXPECT_FALSE(buffered({"R r0 x rlx; F sc; W y 1 rlx", "R r0 y rlx; F sc; W x 1 rlx"}, both));
}

TEST(LoadBuffering, OneSidedOrdersDoNotForbidIt) {
  EXPECT_TRUE(buffered({"R r0 x acq; W y 1 rlx", "R r0 y acq; W x 1 rlx"}, both));
  EXPECT_TRUE(buffered({"R r0 x rlx; W y 1 rel", "R r0 y rlx; W x 1 rel"}, both));
  EXPECT_TRUE(buffered({"R r0 x rlx; F acq; W y 1 rlx", "R r0 y rlx; F acq; W x 1 rlx"}, both));
  EXPECT_TRUE(buffered({"R r0 x na; W y 1 na", "R r0 y na; W x 1 na"}, both));
}

TEST(LoadBuffering, DependencyOnOneSide) {
  EXPECT_TRUE(buffered({"R r0 x rlx; W y r0 rlx", "R r0 y rlx; W x 1 rlx"}, both));
  EXPECT_TRUE(buffered({"R r0 x rlx; if r0==1 { W y 1 rlx }", "R r0 y rlx; W x 1 rlx"}, both));
}

TEST(LoadBuffering, DependenciesOnBothSidesAreThinAir) {
  EXPECT_FALSE(buffered({"R r0 x rlx; W y r0 rlx", "R r0 y rlx; W x r0 rlx"}, both));
  EXPECT_FALSE(buffered({"R r0 x rlx; if r0==1 { W y 1 rlx }", "R r0 y rlx; if r0==1 { W x 1 rlx }"}, both));
  EXPECT_FALSE(buffered({"R r0 x rlx; W y r0 rlx", "R r0 y rlx; if r0==1 { W x 1 rlx }"}, both));
  EXPECT_FALSE(buffered({"R r0 x rlx; W y r0+1 rlx", "R r0 y rlx; W x r0 rlx"}, both));
  EXPECT_FALSE(buffered({"R r0 x rlx; W y r0 rlx", "R r0 y rlx; W z r0 rlx", "R r0 z rlx; W x r0 rlx"}, {{"0:r0", 1}}));
}

TEST(LoadBuffering, ThinAirHasOnlyTheInitialValue) {
  const auto test = Notation::parse({"R r0 x rlx; W y r0 rlx", "R r0 y rlx; W x r0 rlx"});
  EXPECT_EQ(run_lb(test).states, (std::set<State>{{0, 0, 0, 0}}));
}

TEST(LoadBuffering, FakeDependencies) {
  const std::string fake_data = "R r0 x rlx; = r1 r0*0; W y r1+1 rlx";
  EXPECT_TRUE(buffered({fake_data, "R r0 y rlx; = r1 r0*0; W x r1+1 rlx"}, both));
  EXPECT_TRUE(buffered({fake_data, "R r0 y rlx; W x r0 rlx"}, both));
  EXPECT_TRUE(buffered({"R r0 x rlx; if r0==1 { W y 1 rlx } else { W y 1 rlx }", "R r0 y rlx; W x r0 rlx"}, both));
}

TEST(LoadBuffering, ThreeThreads) {
  EXPECT_TRUE(buffered({"R r0 x rlx; W y r0 rlx", "R r0 y rlx; W z r0 rlx", "R r0 z rlx; W x 1 rlx"},
                       {{"0:r0", 1}, {"1:r0", 1}, {"2:r0", 1}}));
}

TEST(LoadBuffering, ReadModifyWrites) {
  EXPECT_TRUE(buffered({"A r0 x 1 rlx; W y 1 rlx", "R r0 y rlx; W x 1 rlx"}, both));
  // Each would have to come right behind the other.
  EXPECT_FALSE(buffered({"A r0 x 1 rlx", "A r0 x 1 rlx"}, both));
  EXPECT_TRUE(buffered({"R r0 x rlx; A r1 y 1 rlx", "R r0 y rlx; A r1 x 1 rlx"}, both));
}

TEST(LoadBuffering, CoherenceStillHolds) {
  EXPECT_FALSE(buffered({"R r0 x rlx; W x 1 rlx"}, {{"0:r0", 1}}));
  EXPECT_FALSE(buffered({"R r0 x rlx; W x 1 rlx", "R r0 x rlx; W x 2 rlx"}, {{"0:r0", 2}, {"1:r0", 1}}));
}

TEST(LoadBuffering, APromiseThatIsNotKeptIsNoExecution) {
  // Thread 1 alone would write 1, but not if it reads what came of its promise.
  const auto test = Notation::parse({"R r0 x rlx; W y r0 rlx", "R r0 y rlx; if r0==0 { W x 1 rlx }"});
  const Result result = run_lb(test);
  EXPECT_FALSE(reaches(test, result, both));
  EXPECT_EQ(result.blocked, 0U);
}

TEST(LoadBuffering, ALaterWriteMayKeepThePromise) {
  // Certified by the branch not taken, kept by the one taken.
  EXPECT_TRUE(buffered({"R r0 x rlx; W y r0 rlx", "R r0 y rlx; if r0==0 { W x 1 rlx } else { W z 5 rlx; W x 1 rlx }"},
                       {{"0:r0", 1}, {"1:r0", 1}, {"z", 5}}));
}

TEST(LoadBuffering, EitherOfTwoWritesMayKeepThePromise) {
  const auto test = Notation::parse({"R r0 x rlx; W y r0 rlx", "R r0 y rlx; W x 1 rlx; W x 1 rlx"});
  EXPECT_EQ(run_lb(test, Model::kCpp20, false).executions, 4U);
  EXPECT_EQ(run_lb(test).executions, 6U);
}

TEST(LoadBuffering, TheWriteThatKeepsAPromiseNeedNotBeTheOneThatCertifiedIt) {
  // The first store certifies 1; the read may get it from the second, which depends on the read.
  const auto test = Notation::parse({"R r0 x rlx; W y r0 rlx", "W x 1 rlx; R r0 y rlx; if r0==1 { W x 1 rlx }"});
  EXPECT_EQ(run_lb(test, Model::kCpp20, false).executions, 4U);
  EXPECT_EQ(run_lb(test).executions, 5U);
}

TEST(LoadBuffering, CertificationIsCoherent) {
  // Thread 1 alone cannot read 0 from z, which it has written: it writes x only if it reads 1 from y.
  EXPECT_FALSE(buffered({"R r0 x rlx; W y r0 rlx",
                         "W z 1 rlx; R r1 z rlx; R r0 y rlx; if r1==0 { W x 1 rlx } else { if r0==1 { W x 1 rlx } }"},
                        both));
  EXPECT_TRUE(buffered(
      {"R r0 x rlx; W y r0 rlx", "R r1 z rlx; R r0 y rlx; if r1==0 { W x 1 rlx } else { if r0==1 { W x 1 rlx } }"},
      both));
}

TEST(LoadBuffering, TheOrderOfExecutionRespectsHappensBefore) {
  // Thread 1 can certify u = 1 only before it has read z. With the fences that comes before thread 0 reads u.
  const Part all{{"0:r0", 1}, {"0:r1", 1}, {"1:r0", 1}, {"1:r1", 1}, {"2:r0", 1}};
  const auto threads = [](const std::string& acquire, const std::string& release) {
    return std::vector<std::string>{
        "R r0 x rlx; " + acquire + "R r1 u rlx; W w r1 rlx; W v r1 rlx",
        "R r0 z rlx; " + release + "W x 1 rlx; if r0==0 { W u 1 rlx } else { R r1 v rlx; if r1==1 { W u 1 rlx } }",
        "R r0 w rlx; W z r0 rlx"};
  };
  EXPECT_TRUE(buffered(threads("", ""), all));
  EXPECT_TRUE(buffered(threads("F acq; ", ""), all));
  EXPECT_FALSE(buffered(threads("F acq; ", "F rel; "), all));
}

TEST(LoadBuffering, CutExecutionsAreBlocked) {
  const auto test = Notation::parse({"R r0 x rlx; W y 1 rlx; = r1 1; while r1==1 { = r2 1 }", "R r0 y rlx; W x 1 rlx"});
  const Result result = run_lb(test);
  EXPECT_EQ(result.executions, 0U);
  EXPECT_EQ(result.blocked, 4U);
  EXPECT_TRUE(result.states.empty());
}

}  // namespace
}  // namespace ordeal::oracle
