// Long executions: the cost of an operation does not depend on how many came before, and what a store takes is bounded.
//
// Times are compared loosely, since machines are busy; ORDEAL_TEST_GROWTH=1 prints them, up to a million.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <optional>

#include "sample/sampler.h"
#include "tests/support/scale.h"

namespace ordeal::sample {
namespace {

using enum MemoryOrder;

/// Of this process, in ns: the machine may be busy.
double now() {
  timespec time{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return 1e9 * static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec);
}

struct Cost {
  double ns_per_operation = 0;
  double bytes = 0;
};

class GrowthTest : public ::testing::TestWithParam<const char*> {
 protected:
  /// Threads 1 … n, and thread 0 waits for them. A further one may sleep: it could read anything.
  void begin(int threads, bool has_sleeper) {
    sampler_.emplace();  // it keeps what it once had
    sampler_->begin(*strategy_, 1, 1);
    x_ = sampler_->memory().new_location(0);
    for (int t = 1; t <= threads; ++t) sampler_->created(0, t);
    if (has_sleeper) sampler_->memory().create(0, threads + 1);
    sampler_->block_until_end(0, 1);
  }
  template <class Perform>
  Cost measure(int threads, int each, StepKind kind, Perform&& perform) {
    const double start = now();
    std::vector<int> left(static_cast<std::size_t>(threads) + 1, each);
    for (int thread = sampler_->choose_other(0); thread != Sampler::kNobody;) {
      if (thread == 0 || left[static_cast<std::size_t>(thread)]-- == 0) {
        const auto other = std::find_if(left.begin() + 1, left.end(), [](int n) { return n >= 0; });
        if (thread == 0 && other != left.end()) sampler_->block_until_end(0, static_cast<int>(other - left.begin()));
        else sampler_->ended(thread);
        thread = sampler_->choose_other(thread);
        continue;
      }
      perform(thread);
      if (!sampler_->goes_on(thread, kind)) thread = sampler_->chosen();
    }
    return {(now() - start) / threads / each, static_cast<double>(sampler_->memory().bytes_in_use())};
  }
  /// `run` makes N operations a thread, and `writers` of the threads make stores.
  void expect_linear(const char* what, int writers, const std::function<Cost(int, bool)>& run) {
    expect_linear(what, writers, [&](int n) { return run(n, false); });
    expect_linear((std::string(what) + " and a sleeper").c_str(), writers, [&](int n) { return run(n, true); });
  }
  void expect_linear(const char* what, int writers, const std::function<Cost(int)>& run) {
    const bool shows = std::getenv("ORDEAL_TEST_GROWTH") != nullptr;  // NOLINT(concurrency-mt-unsafe)
    const int most = shows ? 1'000'000 : 100'000;
    double least = 1e9;
    for (int n = 1000; n <= most; n *= 10) {
      const Cost cost = run(n);
      const double bytes_per_store = cost.bytes / n / writers;
      if (shows) std::printf("%s, %s: N = %d: %.0f ns an operation, %.1f bytes a store\n", what, GetParam(), n, cost.ns_per_operation, bytes_per_store);
      if (n >= 10'000) {
        EXPECT_LE(bytes_per_store, 64.0) << n;
      }
      EXPECT_LE(cost.ns_per_operation, 30 * least) << n;
      least = std::min(least, cost.ns_per_operation);
    }
  }

  std::unique_ptr<Strategy> strategy_ = make_strategy(GetParam());
  std::optional<Sampler> sampler_;
  Memory::LocationId x_ = 0;
};

TEST_P(GrowthTest, RelaxedStoresAgainstRelaxedLoads) {
  expect_linear("stores and loads", 1, [&](int n, bool sleeper) {
    begin(2, sleeper);
    return measure(2, n, StepKind::kLoad, [&](int thread) {
      if (thread == 1) sampler_->store(1, x_, 1, kRelaxed);
      else sampler_->load(2, x_, kRelaxed);
    });
  });
}

TEST_P(GrowthTest, FourThreadsWithRelaxedFetchAdds) {
  model::Access add;
  add.function = model::RmwFunction::kAdd;
  add.operand = 1;
  expect_linear("fetch_adds", 4, [&](int n, bool sleeper) {
    begin(4, sleeper);
    return measure(4, n, StepKind::kRmw, [&](int thread) { sampler_->rmw(thread, x_, add); });
  });
}

TEST_P(GrowthTest, ReleaseStoresOfTwoThreadsThatNobodyAcquires) {
  expect_linear("release stores", 2, [&](int n, bool sleeper) {
    begin(2, sleeper);
    return measure(2, n, StepKind::kStore, [&](int thread) { sampler_->store(thread, x_, 1, kRelease); });
  });
}

TEST_P(GrowthTest, SeqCstStoresAndLoads) {
  expect_linear("seq_cst", 1, [&](int n, bool sleeper) {
    begin(2, sleeper);
    return measure(2, n, StepKind::kRmw, [&](int thread) {
      if (thread == 1) sampler_->store(1, x_, 1, kSeqCst);
      else sampler_->load(2, x_, kSeqCst);
    });
  });
}

/// Ten million with ./test --long: four threads that synchronise, a ring of release stores and acquire loads, and fetch_adds.
TEST_P(GrowthTest, SynchronisingThreadsTakeNoMoreMemory) {
  begin(4, false);
  std::vector<Memory::LocationId> flags;
  for (int t = 0; t < 4; ++t) flags.push_back(sampler_->memory().new_location(0));
  model::Access add;
  add.function = model::RmwFunction::kAdd;
  add.operand = 1;
  add.order = kAcqRel;
  int turn = 0;
  std::uint64_t most_stores = 0, most_bytes = 0;
  const int each = tests::scaled(25'000);
  const Cost cost = measure(4, each, StepKind::kLoad, [&](int thread) {
    switch (++turn % 4) {
      case 0: sampler_->store(thread, flags[static_cast<std::size_t>(thread - 1)], turn, kRelease); break;
      case 1: sampler_->load(thread, flags[static_cast<std::size_t>(thread % 4)], kAcquire); break;
      case 2: sampler_->rmw(thread, x_, add); break;
      default: sampler_->load(thread, x_, kAcquire);
    }
    most_stores = std::max(most_stores, sampler_->memory().stores_in_use());
    if (turn % 1024 == 0) most_bytes = std::max(most_bytes, sampler_->memory().bytes_in_use());
  });
  if (std::getenv("ORDEAL_TEST_GROWTH") != nullptr)  // NOLINT(concurrency-mt-unsafe)
    std::printf("synchronising, %s: %d operations, %.0f ns each, at most %llu stores, %llu bytes\n", GetParam(), 4 * each, cost.ns_per_operation,
                static_cast<unsigned long long>(most_stores), static_cast<unsigned long long>(most_bytes));
  EXPECT_LT(most_stores, 3000u);
  EXPECT_LT(most_bytes, 500'000u);
  EXPECT_FALSE(sampler_->memory().window_was_used());
}

INSTANTIATE_TEST_SUITE_P(Strategies, GrowthTest, ::testing::Values("random", "pct", "portfolio"));

}  // namespace
}  // namespace ordeal::sample
