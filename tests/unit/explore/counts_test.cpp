// Numbers of execution classes that can be worked out by hand.
#include <cmath>

#include <gtest/gtest.h>

#include "tests/support/exploration.h"
#include "tests/support/models.h"
#include "tests/support/scripted_program.h"

namespace ordeal::tests {
namespace {

using model::Model;

std::uint64_t power(std::uint64_t base, int exponent) {
  std::uint64_t result = 1;
  for (int i = 0; i < exponent; ++i) result *= base;
  return result;
}
std::uint64_t factorial(int n) { return n == 0 ? 1 : static_cast<std::uint64_t>(n) * factorial(n - 1); }

std::uint64_t classes_of(ScriptedProgram& program, Model model) {
  const Exploration result = explore_all(program, model);
  EXPECT_EQ(result.repeated, 0) << model::name_of(model);
  EXPECT_EQ(result.counts.blocked, 0) << model::name_of(model);
  EXPECT_EQ(result.classes.size(), result.counts.complete) << model::name_of(model);
  return result.counts.complete;
}

constexpr Model kImplicitOrder[] = {Model::kCpp20, Model::kRc11};
constexpr Model kExplicitOrder[] = {Model::kSc, Model::kTso};

std::uint64_t writers_and_readers(int n, Model model) {
  ScriptedProgram program;
  const LocationId x = program.location();
  for (int t = 0; t < n; ++t) program.thread([=](Steps& steps) { steps.store(x, t + 1); });
  for (int t = 0; t < n; ++t) program.thread([=](Steps& steps) { steps.load(x); });
  return classes_of(program, model);
}

TEST(Counts, EachOfNReadersReadsOneOfNWritersOrTheInitialValue) {
  for (const Model model : kImplicitOrder)
    for (int n = 1; n <= 5; ++n)
      EXPECT_EQ(writers_and_readers(n, model), power(static_cast<std::uint64_t>(n) + 1, n)) << model::name_of(model);
}

TEST(Counts, WithExplicitModificationOrderTheWritersArePermutedToo) {
  for (const Model model : kExplicitOrder)
    for (int n = 1; n <= 3; ++n)
      EXPECT_EQ(writers_and_readers(n, model), factorial(n) * power(static_cast<std::uint64_t>(n) + 1, n))
          << model::name_of(model);
}

TEST(Counts, BlindStoresAreOneClass) {
  for (const Model model : kAllModels)
    for (int n = 1; n <= 6; ++n) {
      ScriptedProgram program;
      const LocationId x = program.location();
      for (int t = 0; t < n; ++t) program.thread([=](Steps& steps) { steps.store(x, t + 1); });
      const bool order_is_explicit = model == Model::kSc || model == Model::kTso;
      EXPECT_EQ(classes_of(program, model), order_is_explicit ? factorial(n) : 1)
          << model::name_of(model) << ", n = " << n;
    }
}

TEST(Counts, IncrementsComeInEveryOrder) {
  for (const Model model : kAllModels)
    for (int n = 1; n <= 6; ++n) {
      ScriptedProgram program;
      const LocationId x = program.location();
      for (int t = 0; t < n; ++t) program.thread([=](Steps& steps) { steps.fetch_add(x, 1); });
      EXPECT_EQ(classes_of(program, model), factorial(n)) << model::name_of(model);
    }
}

// Whether the reader comes first, and is revisited by each increment, or last.
TEST(Counts, TheReaderOfACounterReadsAnyOfItsValues) {
  for (const Model model : kAllModels)
    for (const int n : {1, 5, 40})
      for (const bool reads_first : {false, true}) {
        ScriptedProgram program;
        const LocationId x = program.location();
        for (const bool reads : {reads_first, !reads_first})
          program.thread([=](Steps& steps) {
            if (reads) steps.load(x);
            for (int i = 0; !reads && i < n; ++i) steps.fetch_add(x, 1);
          });
        EXPECT_EQ(classes_of(program, model), n + 1) << model::name_of(model);
      }
}

TEST(Counts, AnExecutionMayHaveTenThousandEvents) {
  ScriptedProgram program;
  const LocationId x = program.location();
  program.thread([=](Steps& steps) {
    for (int i = 0; i < 5000; ++i) steps.fetch_add(x, 1);
  });
  EXPECT_EQ(classes_of(program, Model::kCpp20), 1);
}

std::uint64_t store_buffering(int n, MemoryOrder order, Model model) {
  ScriptedProgram program;
  std::vector<LocationId> x;
  for (int t = 0; t < n; ++t) x.push_back(program.location());
  for (std::size_t t = 0; t < x.size(); ++t)
    program.thread([=](Steps& steps) {
      steps.store(x[t], 1, order);
      steps.load(x[(t + 1) % x.size()], order);
    });
  return classes_of(program, model);
}

TEST(Counts, StoreBufferingHasEveryCombination) {
  for (int n = 2; n <= 7; ++n) {
    for (const Model model : {Model::kCpp20, Model::kRc11, Model::kTso})
      EXPECT_EQ(store_buffering(n, MemoryOrder::kRelaxed, model), power(2, n)) << model::name_of(model);
    EXPECT_EQ(store_buffering(n, MemoryOrder::kRelaxed, Model::kSc), power(2, n) - 1);
  }
}

TEST(Counts, SeqCstStoreBufferingHasEveryCombinationButAllZero) {
  for (const Model model : kAllModels)
    for (int n = 2; n <= 7; ++n)
      EXPECT_EQ(store_buffering(n, MemoryOrder::kSeqCst, model), power(2, n) - 1) << model::name_of(model);
}

// Thread t replaces t by t+1. The first k succeed. Thread k sees any other write, in k ways; those behind it, which
// fail whatever they see, any of the k+1 writes. Or all succeed.
TEST(Counts, CompareExchangesInARow) {
  for (const Model model : kAllModels)
    for (int n = 1; n <= 6; ++n) {
      std::uint64_t expected = 1;
      for (int k = 1; k < n; ++k)
        expected += static_cast<std::uint64_t>(k) * power(static_cast<std::uint64_t>(k) + 1, n - 1 - k);
      ScriptedProgram program;
      const LocationId x = program.location();
      for (int t = 0; t < n; ++t)
        program.thread([=](Steps& steps) {
          Value value = t;
          steps.compare_exchange(x, value, t + 1);
        });
      EXPECT_EQ(classes_of(program, model), expected) << model::name_of(model) << ", n = " << n;
    }
}

std::uint64_t same_compare_exchange(int n, bool weak, Model model) {
  ScriptedProgram program;
  const LocationId x = program.location();
  for (int t = 0; t < n; ++t)
    program.thread([=](Steps& steps) {
      Value value = 0;
      steps.compare_exchange(x, value, 1, weak);
    });
  return classes_of(program, model);
}

TEST(Counts, OfEqualCompareExchangesOneWins) {
  for (const Model model : kAllModels)
    for (int n = 1; n <= 5; ++n)
      EXPECT_EQ(same_compare_exchange(n, false, model), static_cast<std::uint64_t>(n)) << model::name_of(model);
}

// One wins; each of the others sees its write, or fails spuriously before. Or all fail spuriously.
TEST(Counts, OfEqualWeakCompareExchangesOneWinsOrNone) {
  for (const Model model : kAllModels)
    for (int n = 1; n <= 5; ++n)
      EXPECT_EQ(same_compare_exchange(n, true, model), static_cast<std::uint64_t>(n) * power(2, n - 1) + 1)
          << model::name_of(model);
}

// Two threads turn x round: 0 → 1 → 0 … Thread 0 replaces 0 by 1 k times, thread 1 replaces 1 by 0 k times; both try
// once more each time, so only their interleavings count. Worked out by hand for k = 1, 2.
TEST(Counts, RotationsOfTwoThreads) {
  const auto rotate = [](int turns, Model model) {
    ScriptedProgram program;
    const LocationId x = program.location();
    for (Value t = 0; t < 2; ++t)
      program.thread([=](Steps& steps) {
        for (int turn = 0; turn < turns; ++turn) {
          Value value = t;
          steps.compare_exchange(x, value, 1 - t);
        }
      });
    return classes_of(program, model);
  };
  for (const Model model : kAllModels) {
    // A: 0→1, B: 1→0. A reads the initial 0 and writes a. B reads the initial 0 and fails, or reads a.
    EXPECT_EQ(rotate(1, model), 2) << model::name_of(model);
    // A1 A2 and B1 B2. A1 succeeds (a). What B1, B2 read, and then A2:
    //   init, init: A2 reads a (fails)                     1
    //   init, a (b2): A2 reads a or b2                     2
    //   a (b1), b1 (fails): A2 reads a or b1               2
    //   a (b1), then A2 reads b1 (a2), B2 reads a2         1   (B2 reads b1: counted above)
    EXPECT_EQ(rotate(2, model), 6) << model::name_of(model);
  }
}

// Message passing: of the four pairs of values release and acquire forbid one.
TEST(Counts, MessagePassing) {
  for (const Model model : kAllModels)
    for (const bool synchronised : {false, true}) {
      ScriptedProgram program;
      const LocationId x = program.location(), y = program.location();
      program.thread([=](Steps& steps) {
        steps.store(x, 1);
        steps.store(y, 1, synchronised ? MemoryOrder::kRelease : MemoryOrder::kRelaxed);
      });
      program.thread([=](Steps& steps) {
        steps.load(y, synchronised ? MemoryOrder::kAcquire : MemoryOrder::kRelaxed);
        steps.load(x);
      });
      const bool weak = !synchronised && (model == Model::kCpp20 || model == Model::kRc11);
      EXPECT_EQ(classes_of(program, model), weak ? 4 : 3) << model::name_of(model);
    }
}

}  // namespace
}  // namespace ordeal::tests
