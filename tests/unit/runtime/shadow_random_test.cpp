// Shadow memory against its definition: a list of all accesses of the execution.
//
// Threads with vector clocks, as the engine makes them: an atomic access is an event of its thread; one that acquires takes
// over what a thread knew at one that released. So a thread's clock never goes back, and who knows an event of a thread
// knows the earlier ones too. That is why one record may take the place of another: same thread and sort, all of its bytes,
// later; who is unordered with the old access is unordered with the new one.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "base/rng.h"
#include "base/vector_clock.h"
#include "runtime/shadow.h"
#include "tests/support/scale.h"

namespace ordeal::runtime::testing {
namespace {

constexpr int kThreads = 4;
using Knowledge = std::array<base::ClockEntry, kThreads>;

/// All accesses of the execution; `stack` is their number.
class AccessList {
 public:
  static bool have_common_byte(const ShadowAccess& a, const ShadowAccess& b) {
    return a.address < b.address + b.size && b.address < a.address + a.size;
  }
  static bool race(const ShadowAccess& earlier, const ShadowAccess& later, const Knowledge& hb) {
    return earlier.thread != later.thread && have_common_byte(earlier, later) && (earlier.is_write || later.is_write) &&
           !(earlier.is_atomic && later.is_atomic) && hb[static_cast<std::size_t>(earlier.thread)] <= earlier.clock;
  }
  bool has_race_with(const ShadowAccess& access, const Knowledge& hb) const {
    return std::any_of(all_.begin(), all_.end(), [&](const ShadowAccess& earlier) { return race(earlier, access, hb); });
  }
  bool has_atomic(const ShadowAccess& access, bool must_write) const {
    return std::any_of(all_.begin(), all_.end(), [&](const ShadowAccess& earlier) {
      return have_common_byte(earlier, access) && earlier.is_atomic && (earlier.is_write || !must_write);
    });
  }
  bool is_written(std::uintptr_t address) const {
    return std::any_of(all_.begin(), all_.end(), [&](const ShadowAccess& earlier) {
      return earlier.is_write && address >= earlier.address && address < earlier.address + earlier.size;
    });
  }
  bool is_written(std::uintptr_t address, std::size_t size) const {
    for (std::size_t i = 0; i < size; ++i)
      if (!is_written(address + i)) return false;
    return true;
  }
  void add(const ShadowAccess& access) { all_.push_back(access); }
  const ShadowAccess& operator[](std::size_t n) const { return all_[n]; }
  std::uint32_t size() const { return static_cast<std::uint32_t>(all_.size()); }

 private:
  std::vector<ShadowAccess> all_;
};

/// One execution of random threads.
class RandomAccesses {
 public:
  explicit RandomAccesses(int seed) : rng_(static_cast<std::uint64_t>(seed)), acquiring_(rng_.below(101)), atomic_(rng_.below(101)) {
    Shadow::reset();
  }
  void step() {
    const int thread = rng_.below(kThreads);
    const bool is_atomic = rng_.chance(atomic_);
    Knowledge& hb = hb_[static_cast<std::size_t>(thread)];
    ShadowAccess access = somewhere();
    access.thread = thread;
    access.is_atomic = is_atomic;
    access.is_write = rng_.chance(50);
    access.stack = list_.size();
    if (is_atomic) {
      make_event(thread);
      access.clock = hb[static_cast<std::size_t>(thread)] - 1;
    } else {
      if (rng_.chance(30)) make_event(thread);  // a fence, or an access elsewhere
      access.clock = hb[static_cast<std::size_t>(thread)];
      access.is_free = access.is_write && rng_.chance(10);
    }
    compare(access, hb);
    list_.add(access);
    const ShadowAccess range = somewhere();
    ASSERT_EQ(Shadow::is_written(range.address, range.size), list_.is_written(range.address, range.size));
  }
  /// A milestone; those that came behind one that was returned to are lost.
  void keep() { kept_.push_back({Shadow::keep(), hb_, released_, list_}); }
  void go_back() {
    if (kept_.empty()) return;
    kept_.resize(1 + static_cast<std::size_t>(rng_.below(static_cast<int>(kept_.size()))));
    Shadow::go_back(kept_.back().shadow);
    hb_ = kept_.back().hb;
    released_ = kept_.back().released;
    list_ = kept_.back().list;
  }
  int races = 0, no_races = 0, met = 0;

 private:
  using Clocks = std::array<Knowledge, kThreads>;
  struct Kept {
    Shadow::Image shadow;
    Clocks hb, released;
    AccessList list;
  };
  void make_event(int thread) {
    Knowledge& hb = hb_[static_cast<std::size_t>(thread)];
    const auto other = static_cast<std::size_t>(rng_.below(kThreads));
    if (rng_.chance(acquiring_)) base::join(hb.data(), released_[other].data(), kThreads);
    ++hb[static_cast<std::size_t>(thread)];
    if (rng_.chance(50)) released_[static_cast<std::size_t>(thread)] = hb;
  }
  /// A few granules on both sides of a page boundary, so that most accesses meet others.
  ShadowAccess somewhere() {
    ShadowAccess access;
    const bool is_aligned = rng_.chance(50);
    access.size = is_aligned ? std::size_t{1} << rng_.below(5) : static_cast<std::size_t>(1 + rng_.below(rng_.chance(10) ? 60 : 11));
    access.address = 0x7FFFF000 - 32 + static_cast<std::uintptr_t>(rng_.below(64));
    if (is_aligned) access.address = access.address / access.size * access.size;
    return access;
  }
  void compare(const ShadowAccess& access, const Knowledge& hb) {
    Shadow::Result result;
    Shadow::note(access, hb.data(), result);
    ASSERT_EQ(result.races, list_.has_race_with(access, hb));
    ASSERT_EQ(result.met_atomic, !access.is_atomic && list_.has_atomic(access, false));
    ASSERT_EQ(result.met_atomic_write, !access.is_atomic && list_.has_atomic(access, true));
    ++(result.races ? races : no_races);
    if (result.met_atomic) ++met;
    if (!result.races) return;
    ASSERT_LT(Shadow::rival().stack, list_.size());
    const ShadowAccess& other = list_[Shadow::rival().stack];
    ASSERT_TRUE(AccessList::race(other, access, hb));
    ASSERT_EQ(Shadow::rival().thread, other.thread);
    ASSERT_EQ(Shadow::rival().clock, other.clock);
    ASSERT_EQ(Shadow::rival().is_write, other.is_write);
    ASSERT_EQ(Shadow::rival().is_atomic, other.is_atomic);
    ASSERT_EQ(Shadow::rival().is_free, other.is_free);
  }

  base::Rng rng_;
  int acquiring_, atomic_;  // how often, in percent
  Clocks hb_{}, released_{};
  AccessList list_;
  std::vector<Kept> kept_;
};

TEST(ShadowMemoryAtRandom, AgreesWithAListOfAllAccesses) {
  int races = 0, no_races = 0, met = 0;
  for (int seed = 0; seed < tests::scaled(300); ++seed) {
    SCOPED_TRACE(::testing::Message() << "seed " << seed);
    RandomAccesses execution(seed);
    for (int step = 0; step < 120; ++step) {
      execution.step();
      if (HasFatalFailure()) return;
    }
    races += execution.races, no_races += execution.no_races, met += execution.met;
  }
  // Each answer is frequent.
  EXPECT_GT(races, no_races / 20);
  EXPECT_GT(no_races, races / 20);
  EXPECT_GT(met, no_races / 20);
}

TEST(ShadowMemoryAtRandom, AgreesWithAListBehindMilestonesToo) {
  for (int seed = 0; seed < tests::scaled(200); ++seed) {
    SCOPED_TRACE(::testing::Message() << "seed " << seed);
    RandomAccesses execution(seed);
    base::Rng rng(static_cast<std::uint64_t>(seed), 1);
    for (int step = 0; step < 120; ++step) {
      if (rng.chance(8)) execution.keep();
      if (rng.chance(8)) execution.go_back();
      execution.step();
      if (HasFatalFailure()) return;
    }
  }
}

}  // namespace
}  // namespace ordeal::runtime::testing
