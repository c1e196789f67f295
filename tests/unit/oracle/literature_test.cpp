// Litmus tests whose answers are in the literature: the C++20 standard with P0668, "Repairing sequential consistency in
// C/C++11" (RC11), "x86-TSO", and the folklore of SB, MP, LB and friends.
#include <ostream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "notation.h"
#include "oracle/oracle.h"

namespace ordeal::oracle {
namespace {

using testing::Notation;
using testing::Part;

enum class Answer { kNo, kYes };
constexpr Answer no = Answer::kNo;
constexpr Answer yes = Answer::kYes;

/// Whether some final state has `part`, in each model.
struct Case {
  std::string name;
  std::vector<std::string> threads;
  Part part;
  Answer cpp20, rc11, sc, tso;
};

void PrintTo(Answer answer, std::ostream* out) { *out << (answer == yes ? "allowed" : "forbidden"); }
void PrintTo(const Case& test, std::ostream* out) { *out << test.name; }

class Literature : public ::testing::TestWithParam<Case> {};

TEST_P(Literature, Answer) {
  const Case& c = GetParam();
  const auto test = Notation::parse(c.threads);
  const auto answer = [&](Model model) {
    Options options;
    options.model = model;
    const Result result = run(test, options);
    EXPECT_FALSE(result.gave_up);
    EXPECT_EQ(result.blocked, 0U);
    return testing::reaches(test, result, c.part) ? yes : no;
  };
  EXPECT_EQ(answer(Model::kCpp20), c.cpp20) << "cpp20";
  EXPECT_EQ(answer(Model::kRc11), c.rc11) << "rc11";
  EXPECT_EQ(answer(Model::kSc), c.sc) << "sc";
  EXPECT_EQ(answer(Model::kTso), c.tso) << "tso";
}

std::string name_of(const ::testing::TestParamInfo<Case>& info) { return info.param.name; }

// clang-format off: tables

// Store buffering.
const Part sb{{"0:r0", 0}, {"1:r0", 0}};
INSTANTIATE_TEST_SUITE_P(
    StoreBuffering, Literature,
    ::testing::Values(
        //                                                                                cpp20 rc11 sc  tso
        Case{"relaxed", {"W x 1 rlx; R r0 y rlx", "W y 1 rlx; R r0 x rlx"}, sb, yes, yes, no, yes},
        Case{"release_acquire", {"W x 1 rel; R r0 y acq", "W y 1 rel; R r0 x acq"}, sb, yes, yes, no, yes},
        Case{"sc", {"W x 1 sc; R r0 y sc", "W y 1 sc; R r0 x sc"}, sb, no, no, no, no},
        Case{"sc_stores", {"W x 1 sc; R r0 y rlx", "W y 1 sc; R r0 x rlx"}, sb, yes, yes, no, no},
        Case{"sc_loads", {"W x 1 rlx; R r0 y sc", "W y 1 rlx; R r0 x sc"}, sb, yes, yes, no, yes},
        Case{"sc_on_one_side", {"W x 1 sc; R r0 y sc", "W y 1 rel; R r0 x acq"}, sb, yes, yes, no, yes},
        Case{"sc_fences", {"W x 1 rlx; F sc; R r0 y rlx", "W y 1 rlx; F sc; R r0 x rlx"}, sb, no, no, no, no},
        Case{"one_sc_fence", {"W x 1 rlx; F sc; R r0 y rlx", "W y 1 rlx; R r0 x rlx"}, sb, yes, yes, no, yes},
        Case{"acq_rel_fences", {"W x 1 rlx; F ar; R r0 y rlx", "W y 1 rlx; F ar; R r0 x rlx"}, sb, yes, yes, no, yes},
        Case{"sc_accesses_and_sc_fence", {"W x 1 sc; R r0 y sc", "W y 1 rlx; F sc; R r0 x rlx"}, sb, no, no, no, no},
        Case{"exchanges", {"X r1 x 1 ar; R r0 y acq", "X r1 y 1 ar; R r0 x acq"}, sb, yes, yes, no, no},
        Case{"relaxed_exchanges", {"X r1 x 1 rlx; R r0 y rlx", "X r1 y 1 rlx; R r0 x rlx"}, sb, yes, yes, no, no},
        Case{"failing_compare_exchanges",
             {"W x 1 rlx; C r1 z 7 1 rlx rlx; R r0 y rlx", "W y 1 rlx; C r1 z 7 1 rlx rlx; R r0 x rlx"},
             sb,
             yes,
             yes,
             no,
             no},
        Case{"rmw_on_one_location",
             {"W x 1 rlx; A r1 z 0 ar; R r0 y rlx", "W y 1 rlx; A r1 z 0 ar; R r0 x rlx"},
             sb,
             no,
             no,
             no,
             no},
        Case{"relaxed_rmw_on_one_location",
             {"W x 1 rlx; A r1 z 0 rlx; R r0 y rlx", "W y 1 rlx; A r1 z 0 rlx; R r0 x rlx"},
             sb,
             yes,
             yes,
             no,
             no},
        Case{"rmw_on_two_locations",
             {"W x 1 rlx; A r1 z 0 ar; R r0 y rlx", "W y 1 rlx; A r1 w 0 ar; R r0 x rlx"},
             sb,
             yes,
             yes,
             no,
             no}),
    name_of);

// Message passing: the flag is seen, the message is not.
const Part mp{{"1:r0", 1}, {"1:r1", 0}};
INSTANTIATE_TEST_SUITE_P(
    MessagePassing, Literature,
    ::testing::Values(
        //                                                                                cpp20 rc11 sc  tso
        Case{"relaxed", {"W x 1 rlx; W y 1 rlx", "R r0 y rlx; R r1 x rlx"}, mp, yes, yes, no, no},
        Case{"release_acquire", {"W x 1 rlx; W y 1 rel", "R r0 y acq; R r1 x rlx"}, mp, no, no, no, no},
        Case{"release_consume", {"W x 1 rlx; W y 1 rel", "R r0 y con; R r1 x rlx"}, mp, no, no, no, no},
        Case{"release_relaxed", {"W x 1 rlx; W y 1 rel", "R r0 y rlx; R r1 x rlx"}, mp, yes, yes, no, no},
        Case{"relaxed_acquire", {"W x 1 rlx; W y 1 rlx", "R r0 y acq; R r1 x rlx"}, mp, yes, yes, no, no},
        Case{"sc", {"W x 1 sc; W y 1 sc", "R r0 y sc; R r1 x sc"}, mp, no, no, no, no},
        Case{"sc_flag", {"W x 1 rlx; W y 1 sc", "R r0 y sc; R r1 x rlx"}, mp, no, no, no, no},
        Case{"release_on_the_message", {"W x 1 rel; W y 1 rlx", "R r0 y acq; R r1 x acq"}, mp, yes, yes, no, no},
        Case{"acquire_on_the_message", {"W x 1 rlx; W y 1 rel", "R r0 y rlx; R r1 x acq"}, mp, yes, yes, no, no},
        Case{"fences", {"W x 1 rlx; F rel; W y 1 rlx", "R r0 y rlx; F acq; R r1 x rlx"}, mp, no, no, no, no},
        Case{"acq_rel_fences", {"W x 1 rlx; F ar; W y 1 rlx", "R r0 y rlx; F ar; R r1 x rlx"}, mp, no, no, no, no},
        Case{"sc_fences", {"W x 1 rlx; F sc; W y 1 rlx", "R r0 y rlx; F sc; R r1 x rlx"}, mp, no, no, no, no},
        Case{"wrong_fences", {"W x 1 rlx; F acq; W y 1 rlx", "R r0 y rlx; F rel; R r1 x rlx"}, mp, yes, yes, no, no},
        Case{"release_fence_only", {"W x 1 rlx; F rel; W y 1 rlx", "R r0 y rlx; R r1 x rlx"}, mp, yes, yes, no, no},
        Case{"release_fence_to_acquire", {"W x 1 rlx; F rel; W y 1 rlx", "R r0 y acq; R r1 x rlx"}, mp, no, no, no, no},
        Case{"release_to_acquire_fence", {"W x 1 rlx; W y 1 rel", "R r0 y rlx; F acq; R r1 x rlx"}, mp, no, no, no, no},
        Case{"release_fence_too_late", {"W x 1 rlx; W y 1 rlx; F rel", "R r0 y acq; R r1 x rlx"}, mp, yes, yes, no, no},
        Case{
            "acquire_fence_too_early", {"W x 1 rlx; W y 1 rel", "F acq; R r0 y rlx; R r1 x rlx"}, mp, yes, yes, no, no},
        Case{"relaxed_fences", {"W x 1 rlx; F rlx; W y 1 rlx", "R r0 y rlx; F rlx; R r1 x rlx"}, mp, yes, yes, no, no},
        Case{"exchange", {"W x 1 rlx; X r0 y 1 rel", "A r0 y 0 acq; R r1 x rlx"}, mp, no, no, no, no},
        Case{"exchange_with_wrong_orders",
             {"W x 1 rlx; X r0 y 1 acq", "A r0 y 0 rel; R r1 x rlx"},
             mp,
             yes,
             yes,
             no,
             no},
        Case{"failing_compare_exchange_acquires",
             {"W x 1 rlx; W y 1 rel", "C r2 y 7 8 rlx acq; = r0 r2_seen; R r1 x rlx"},
             mp,
             no,
             no,
             no,
             no},
        Case{"failing_compare_exchange_with_relaxed_failure",
             {"W x 1 rlx; W y 1 rel", "C r2 y 7 8 ar rlx; = r0 r2_seen; R r1 x rlx"},
             mp,
             yes,
             yes,
             no,
             no}),
    name_of);

// The release sequence of C++20: read-modify-writes, and nothing else.
INSTANTIATE_TEST_SUITE_P(
    ReleaseSequence, Literature,
    ::testing::Values(Case{"a_later_store_of_the_thread_is_not_part",
                           {"W x 1 rlx; W y 1 rel; W y 2 rlx", "R r0 y acq; R r1 x rlx"},
                           {{"1:r0", 2}, {"1:r1", 0}},
                           yes,
                           yes,
                           no,
                           no},
                      Case{"an_rmw_of_the_thread_is_part",
                           {"W x 1 rlx; W y 1 rel; A r0 y 1 rlx", "R r0 y acq; R r1 x rlx"},
                           {{"1:r0", 2}, {"1:r1", 0}},
                           no,
                           no,
                           no,
                           no},
                      Case{"an_rmw_of_another_thread_is_part",
                           {"W x 1 rlx; W y 1 rel", "A r0 y 1 rlx", "R r0 y acq; R r1 x rlx"},
                           {{"1:r0", 1}, {"2:r0", 2}, {"2:r1", 0}},
                           no,
                           no,
                           no,
                           no},
                      Case{"two_rmws_are_part",
                           {"W x 1 rlx; W y 1 rel", "A r0 y 1 rlx", "A r0 y 1 rlx", "R r0 y acq; R r1 x rlx"},
                           {{"1:r0", 1}, {"2:r0", 2}, {"3:r0", 3}, {"3:r1", 0}},
                           no,
                           no,
                           no,
                           no},
                      Case{"a_store_of_another_thread_is_not_part",
                           {"W x 1 rlx; W y 1 rel", "R r0 y rlx; W y 2 rlx", "R r0 y acq; R r1 x rlx"},
                           {{"1:r0", 1}, {"2:r0", 2}, {"2:r1", 0}},
                           yes,
                           yes,
                           no,
                           no},
                      Case{"a_store_breaks_it",
                           {"W x 1 rlx; W y 1 rel; W y 2 rlx", "A r0 y 1 rlx", "R r0 y acq; R r1 x rlx"},
                           {{"1:r0", 2}, {"2:r0", 3}, {"2:r1", 0}},
                           yes,
                           yes,
                           no,
                           no},
                      Case{"behind_a_fence",
                           {"W x 1 rlx; F rel; W y 1 rlx", "A r0 y 1 rlx", "R r0 y rlx; F acq; R r1 x rlx"},
                           {{"1:r0", 1}, {"2:r0", 2}, {"2:r1", 0}},
                           no,
                           no,
                           no,
                           no},
                      Case{"a_release_rmw_is_a_head_too",
                           {"W y 1 rlx", "W x 1 rlx; A r0 y 1 rel", "A r0 y 1 rlx", "R r0 y acq; R r1 x rlx"},
                           {{"1:r0", 1}, {"2:r0", 2}, {"3:r0", 3}, {"3:r1", 0}},
                           no,
                           no,
                           no,
                           no}),
    name_of);

// One location.
INSTANTIATE_TEST_SUITE_P(
    Coherence, Literature,
    ::testing::Values(
        Case{"CoRR", {"W x 1 rlx", "R r0 x rlx; R r1 x rlx"}, {{"1:r0", 1}, {"1:r1", 0}}, no, no, no, no},
        Case{"CoRR_plain", {"W x 1 na", "R r0 x na; R r1 x na"}, {{"1:r0", 1}, {"1:r1", 0}}, no, no, no, no},
        Case{"CoRR2",
             {"W x 1 rlx", "W x 2 rlx", "R r0 x rlx; R r1 x rlx", "R r0 x rlx; R r1 x rlx"},
             {{"2:r0", 1}, {"2:r1", 2}, {"3:r0", 2}, {"3:r1", 1}},
             no,
             no,
             no,
             no},
        Case{"CoWW", {"W x 1 rlx; W x 2 rlx"}, {{"x", 1}}, no, no, no, no},
        Case{"CoRW1", {"R r0 x rlx; W x 1 rlx"}, {{"0:r0", 1}}, no, no, no, no},
        Case{"CoRW2", {"R r0 x rlx; W x 1 rlx", "W x 2 rlx"}, {{"0:r0", 2}, {"x", 2}}, no, no, no, no},
        Case{"CoWR", {"W x 1 rlx; R r0 x rlx", "W x 2 rlx"}, {{"0:r0", 2}, {"x", 1}}, no, no, no, no},
        Case{"CoWR_initial", {"W x 1 rlx; R r0 x rlx"}, {{"0:r0", 0}}, no, no, no, no},
        Case{"n4", {"R r0 x rlx; W x 1 rlx", "R r0 x rlx; W x 2 rlx"}, {{"0:r0", 2}, {"1:r0", 1}}, no, no, no, no},
        Case{"n5", {"W x 1 rlx; R r0 x rlx", "W x 2 rlx; R r0 x rlx"}, {{"0:r0", 2}, {"1:r0", 1}}, no, no, no, no},
        Case{"both_exchanges_first", {"X r0 x 1 rlx", "X r0 x 2 rlx"}, {{"0:r0", 0}, {"1:r0", 0}}, no, no, no, no},
        Case{"both_compare_exchanges_succeed",
             {"C r0 x 0 1 rlx rlx", "C r0 x 0 1 rlx rlx"},
             {{"0:r0", 1}, {"1:r0", 1}},
             no,
             no,
             no,
             no},
        Case{"store_inside_a_fetch_add", {"A r0 x 1 rlx", "W x 10 rlx"}, {{"0:r0", 0}, {"x", 1}}, no, no, no, no},
        Case{"store_after_a_fetch_add", {"A r0 x 1 rlx", "W x 10 rlx"}, {{"0:r0", 0}, {"x", 10}}, yes, yes, yes, yes},
        Case{"store_before_a_fetch_add", {"A r0 x 1 rlx", "W x 10 rlx"}, {{"0:r0", 10}, {"x", 11}}, yes, yes, yes, yes},
        Case{"fetch_add_before_the_store_that_it_reads",
             {"A r0 x 1 rlx", "W x 10 rlx"},
             {{"0:r0", 10}, {"x", 10}},
             no,
             no,
             no,
             no},
        Case{"lost_increment", {"A r0 x 1 rlx", "A r0 x 1 rlx"}, {{"x", 1}}, no, no, no, no}),
    name_of);

const Part iriw{{"1:r0", 1}, {"1:r1", 0}, {"2:r0", 1}, {"2:r1", 0}};
const Part wrc{{"1:r0", 1}, {"2:r0", 1}, {"2:r1", 0}};
const Part isa2{{"1:r0", 1}, {"2:r0", 1}, {"2:r1", 0}};
const Part two_plus_two_w{{"x", 1}, {"y", 1}};
const Part r{{"y", 2}, {"1:r0", 0}};
const Part s{{"x", 2}, {"1:r0", 1}};
const Part rwc{{"1:r0", 1}, {"1:r1", 0}, {"2:r0", 0}};
INSTANTIATE_TEST_SUITE_P(
    Shapes, Literature,
    ::testing::Values(
        Case{"IRIW_relaxed",
             {"W x 1 rlx", "R r0 x rlx; R r1 y rlx", "R r0 y rlx; R r1 x rlx", "W y 1 rlx"},
             iriw,
             yes,
             yes,
             no,
             no},
        Case{"IRIW_release_acquire",
             {"W x 1 rel", "R r0 x acq; R r1 y acq", "R r0 y acq; R r1 x acq", "W y 1 rel"},
             iriw,
             yes,
             yes,
             no,
             no},
        Case{"IRIW_sc", {"W x 1 sc", "R r0 x sc; R r1 y sc", "R r0 y sc; R r1 x sc", "W y 1 sc"}, iriw, no, no, no, no},
        Case{"IRIW_relaxed_writes_sc_reads",
             {"W x 1 rlx", "R r0 x sc; R r1 y sc", "R r0 y sc; R r1 x sc", "W y 1 rlx"},
             iriw,
             no,
             yes,
             no,
             no},
        Case{"IRIW_sc_fences",
             {"W x 1 rlx", "R r0 x rlx; F sc; R r1 y rlx", "R r0 y rlx; F sc; R r1 x rlx", "W y 1 rlx"},
             iriw,
             no,
             no,
             no,
             no},
        Case{"IRIW_acq_rel_fences",
             {"W x 1 rlx", "R r0 x rlx; F ar; R r1 y rlx", "R r0 y rlx; F ar; R r1 x rlx", "W y 1 rlx"},
             iriw,
             yes,
             yes,
             no,
             no},
        Case{"IRIW_acq_sc",
             {"W x 1 sc", "R r0 x acq; R r1 y sc", "R r0 y acq; R r1 x sc", "W y 1 sc"},
             iriw,
             yes,
             yes,
             no,
             no},
        Case{"WRC_relaxed", {"W x 1 rlx", "R r0 x rlx; W y 1 rlx", "R r0 y rlx; R r1 x rlx"}, wrc, yes, yes, no, no},
        Case{"WRC_release_acquire_on_y",
             {"W x 1 rlx", "R r0 x rlx; W y 1 rel", "R r0 y acq; R r1 x rlx"},
             wrc,
             no,
             no,
             no,
             no},
        Case{"WRC_release_acquire_on_x",
             {"W x 1 rel", "R r0 x acq; W y 1 rlx", "R r0 y rlx; R r1 x acq"},
             wrc,
             yes,
             yes,
             no,
             no},
        Case{"ISA2_release_acquire",
             {"W x 1 rlx; W y 1 rel", "R r0 y acq; W z 1 rel", "R r0 z acq; R r1 x rlx"},
             isa2,
             no,
             no,
             no,
             no},
        Case{"ISA2_relaxed_in_the_middle",
             {"W x 1 rlx; W y 1 rel", "R r0 y rlx; W z 1 rel", "R r0 z acq; R r1 x rlx"},
             isa2,
             yes,
             yes,
             no,
             no},
        Case{"TwoPlusTwoW_relaxed", {"W x 1 rlx; W y 2 rlx", "W y 1 rlx; W x 2 rlx"}, two_plus_two_w, yes, yes, no, no},
        Case{"TwoPlusTwoW_release", {"W x 1 rel; W y 2 rel", "W y 1 rel; W x 2 rel"}, two_plus_two_w, yes, yes, no, no},
        Case{"TwoPlusTwoW_sc", {"W x 1 sc; W y 2 sc", "W y 1 sc; W x 2 sc"}, two_plus_two_w, no, no, no, no},
        Case{"TwoPlusTwoW_sc_fences",
             {"W x 1 rlx; F sc; W y 2 rlx", "W y 1 rlx; F sc; W x 2 rlx"},
             two_plus_two_w,
             no,
             no,
             no,
             no},
        Case{"R_relaxed", {"W x 1 rlx; W y 1 rlx", "W y 2 rlx; R r0 x rlx"}, r, yes, yes, no, yes},
        Case{"R_release_acquire", {"W x 1 rel; W y 1 rel", "W y 2 rel; R r0 x acq"}, r, yes, yes, no, yes},
        Case{"R_sc", {"W x 1 sc; W y 1 sc", "W y 2 sc; R r0 x sc"}, r, no, no, no, no},
        Case{"R_sc_fences", {"W x 1 rlx; F sc; W y 1 rlx", "W y 2 rlx; F sc; R r0 x rlx"}, r, no, no, no, no},
        Case{"S_relaxed", {"W x 2 rlx; W y 1 rlx", "R r0 y rlx; W x 1 rlx"}, s, yes, yes, no, no},
        Case{"S_release_acquire", {"W x 2 rlx; W y 1 rel", "R r0 y acq; W x 1 rlx"}, s, no, no, no, no},
        Case{"S_sc", {"W x 2 sc; W y 1 sc", "R r0 y sc; W x 1 sc"}, s, no, no, no, no},
        Case{"LB_relaxed",
             {"R r0 x rlx; W y 1 rlx", "R r0 y rlx; W x 1 rlx"},
             {{"0:r0", 1}, {"1:r0", 1}},
             no,
             no,
             no,
             no},
        Case{"RWC_sc_fences",
             {"W x 1 rlx", "R r0 x rlx; F sc; R r1 y rlx", "W y 1 rlx; F sc; R r0 x rlx"},
             rwc,
             no,
             no,
             no,
             no},
        Case{"RWC_one_sc_fence",
             {"W x 1 rlx", "R r0 x rlx; F ar; R r1 y rlx", "W y 1 rlx; F sc; R r0 x rlx"},
             rwc,
             yes,
             yes,
             no,
             no},
        Case{"RWC_relaxed", {"W x 1 rlx", "R r0 x rlx; R r1 y rlx", "W y 1 rlx; R r0 x rlx"}, rwc, yes, yes, no, yes},
        Case{"W_RWC_sc_fences",
             {"W x 1 rlx; W y 1 rel", "R r0 y acq; F sc; R r1 z rlx", "W z 1 rlx; F sc; R r0 x rlx"},
             rwc,
             no,
             no,
             no,
             no},
        Case{"W_RWC_sc_fences_relaxed_flag",
             {"W x 1 rlx; W y 1 rlx", "R r0 y rlx; F sc; R r1 z rlx", "W z 1 rlx; F sc; R r0 x rlx"},
             rwc,
             yes,
             yes,
             no,
             no}),
    name_of);

// Where C++11, C++20 and RC11 differ.
const Part z6u{{"1:r0", 1}, {"1:r1", 3}, {"2:r0", 0}};
const Part sc_eco{{"2:r0", 2}, {"2:r1", 0}, {"x", 2}};
INSTANTIATE_TEST_SUITE_P(
    SequentialConsistency, Literature,
    ::testing::Values(
        Case{"Z6_U", {"W x 1 sc; W y 1 rel", "A r0 y 1 sc; R r1 y rlx", "W y 3 sc; R r0 x sc"}, z6u, yes, yes, no, no},
        // The writes are sc: synchronisation between sc operations counts.
        Case{"Z6_U_sc", {"W x 1 sc; W y 1 sc", "A r0 y 1 sc; R r1 y rlx", "W y 3 sc; R r0 x sc"}, z6u, no, no, no, no},
        // A load and a store instead of the RMW: W x is sequenced before W y, which happens before the load, which is
        // sequenced before the store. RC11 asks for different locations there.
        Case{"Z6_U_load_and_store",
             {"W x 1 sc; W y 1 rel", "R r0 y sc; W y 2 sc; R r1 y rlx", "W y 3 sc; R r0 x sc"},
             z6u,
             no,
             yes,
             no,
             no},
        Case{"Z6_U_fence_after_the_rmw",
             {"W x 1 sc; W y 1 rel", "A r0 y 1 ar; F sc; W z 1 rlx", "R r0 z rlx; F sc; R r1 x rlx"},
             {{"1:r0", 1}, {"2:r0", 1}, {"2:r1", 0}},
             no,
             no,
             no,
             no},
        // sc read of a later relaxed write: coherence-ordered after the sc write in C++20 (mo;rf); not in RC11.
        Case{"SC_eco", {"W y 1 sc; W x 1 sc", "W x 2 rlx", "R r0 x sc; R r1 y sc"}, sc_eco, no, yes, no, no},
        Case{"SC_eco_other_order",
             {"W y 1 sc; W x 1 sc", "W x 2 rlx", "R r0 x sc; R r1 y sc"},
             {{"2:r0", 2}, {"2:r1", 0}, {"x", 1}},
             yes,
             yes,
             yes,
             yes},
        // A fence orders only what is sc or behind another fence.
        Case{"sc_fence_and_sc_read", {"W x 1 rlx; F sc; W y 1 rlx", "R r0 y sc; R r1 x sc"}, mp, no, no, no, no},
        Case{"sc_write_sc_fence", {"W x 1 sc; R r0 y sc", "W y 1 sc; F sc; R r0 x rlx"}, sb, no, no, no, no}),
    name_of);

// x86.
INSTANTIATE_TEST_SUITE_P(
    X86, Literature,
    ::testing::Values(
        Case{"n6",
             {"W x 1 rlx; R r0 x rlx; R r1 y rlx", "W y 2 rlx; W x 2 rlx"},
             {{"0:r0", 1}, {"0:r1", 0}, {"x", 1}, {"y", 2}},
             yes,
             yes,
             no,
             yes},
        Case{"n7",
             {"W x 1 rlx; R r0 x rlx; R r1 y rlx", "W y 1 rlx", "R r0 y rlx; R r1 x rlx"},
             {{"0:r0", 1}, {"0:r1", 0}, {"2:r0", 1}, {"2:r1", 0}},
             yes,
             yes,
             no,
             yes},
        Case{"iwp2_4",
             {"W x 1 rlx; R r0 x rlx; R r1 y rlx", "W y 1 rlx; R r0 y rlx; R r1 x rlx"},
             {{"0:r0", 1}, {"0:r1", 0}, {"1:r0", 1}, {"1:r1", 0}},
             yes,
             yes,
             no,
             yes},
        Case{"iwp2_4_with_exchanges",
             {"X r2 x 1 rlx; R r0 x rlx; R r1 y rlx", "X r2 y 1 rlx; R r0 y rlx; R r1 x rlx"},
             {{"0:r0", 1}, {"0:r1", 0}, {"1:r0", 1}, {"1:r1", 0}},
             yes,
             yes,
             no,
             no},
        Case{"iwp2_5", {"W x 1 rlx", "R r0 x rlx; W y 1 rlx", "R r0 y rlx; R r1 x rlx"}, wrc, yes, yes, no, no},
        Case{"iwp2_8_b", {"X r0 x 1 rlx; W y 1 rlx", "R r0 y rlx; R r1 x rlx"}, mp, yes, yes, no, no},
        Case{"own_store_is_seen", {"W x 1 rlx; R r0 x rlx", "W x 2 rlx"}, {{"0:r0", 0}}, no, no, no, no},
        Case{"amd6",
             {"W x 1 rlx", "R r0 x rlx; R r1 y rlx", "R r0 y rlx; R r1 x rlx", "W y 1 rlx"},
             iriw,
             yes,
             yes,
             no,
             no}),
    name_of);

// clang-format on

}  // namespace
}  // namespace ordeal::oracle
