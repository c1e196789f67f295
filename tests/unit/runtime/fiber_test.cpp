#include "runtime/fiber.h"

#include <gtest/gtest.h>

#include <cstring>
#include <memory>
#include <vector>

namespace ordeal::runtime::testing {
namespace {

/// A fiber with a stack, that runs `Body::run` and leaves for good.
template <class Body>
class Runner {
 public:
  static constexpr std::size_t kStackSize = 256 * 1024;

  template <class... Arguments>
  explicit Runner(Arguments&&... arguments) : body{std::forward<Arguments>(arguments)...} {
    start(runtime::thread_pointer());
  }
  void start(std::uintptr_t thread_pointer) {
    stack_ = std::make_unique<unsigned char[]>(kStackSize);
    fiber_.start(stack_.get() + kStackSize, kStackSize, thread_pointer, &run, this);
  }
  void enter() { fiber_.enter(); }
  bool owns(const void* address) const {
    return reinterpret_cast<std::uintptr_t>(address) - reinterpret_cast<std::uintptr_t>(stack_.get()) < kStackSize;
  }
  Fiber* fiber() { return &fiber_; }

  Body body;

 private:
  static void run(void* self) {
    static_cast<Runner*>(self)->body.run();
    for (;;) Fiber::leave();
  }
  std::unique_ptr<unsigned char[]> stack_;
  Fiber fiber_;
};

class Fibers : public ::testing::Test {
 protected:
  static void SetUpTestSuite() { Fiber::prepare_engine(); }
};

struct Counts {
  std::vector<int>& log;
  int begin;
  void run() {
    for (int n = begin;; ++n) {
      log.push_back(n);
      Fiber::leave();
    }
  }
};

TEST_F(Fibers, EnteringRunsTheBodyUntilItLeaves) {
  std::vector<int> log;
  Runner<Counts> fiber(log, 10);
  EXPECT_EQ(log, std::vector<int>{});
  fiber.enter();
  EXPECT_EQ(log, std::vector<int>{10});
  log.push_back(0);
  fiber.enter();
  log.push_back(0);
  fiber.enter();
  EXPECT_EQ(log, (std::vector<int>{10, 0, 11, 0, 12}));
}

TEST_F(Fibers, TakeTurnsAsTheEngineSays) {
  std::vector<int> log;
  Runner<Counts> a(log, 10), b(log, 20), c(log, 30);
  a.enter(), c.enter(), c.enter(), b.enter(), a.enter(), c.enter(), b.enter();
  EXPECT_EQ(log, (std::vector<int>{10, 30, 31, 20, 11, 32, 21}));
}

void enter_from_below(Runner<Counts>& fiber, int depth) {
  volatile int numbers[16] = {depth};
  if (depth == 0) fiber.enter();
  else enter_from_below(fiber, depth - 1);
  EXPECT_EQ(numbers[0], depth);
}

TEST_F(Fibers, ReturnToWhereTheEngineEnteredLast) {
  std::vector<int> log;
  Runner<Counts> fiber(log, 10);
  for (const int depth : {2, 0, 7, 1}) {
    enter_from_below(fiber, depth);
    log.push_back(depth);
  }
  EXPECT_EQ(log, (std::vector<int>{10, 2, 11, 0, 12, 7, 13, 1}));
}

TEST_F(Fibers, StartingAgainForgetsWhatRanBefore) {
  std::vector<int> log;
  Runner<Counts> fiber(log, 10);
  fiber.enter(), fiber.enter();
  fiber.start(thread_pointer());
  fiber.enter(), fiber.enter();
  EXPECT_EQ(log, (std::vector<int>{10, 11, 10, 11}));
}

struct LooksAround {
  Fiber* running = nullptr;
  bool is_running = false;
  void* frame = nullptr;
  void run() {
    running = Fiber::running();
    is_running = Fiber::is_running();
    frame = __builtin_frame_address(0);
  }
};

TEST_F(Fibers, TheOneThatRunsIsKnown) {
  Runner<LooksAround> a, b;
  EXPECT_FALSE(Fiber::is_running());
  a.enter();
  EXPECT_EQ(a.body.running, a.fiber());
  EXPECT_TRUE(a.body.is_running);
  EXPECT_FALSE(Fiber::is_running());
  EXPECT_EQ(Fiber::running(), nullptr);
  b.enter();
  EXPECT_EQ(b.body.running, b.fiber());
}

TEST_F(Fibers, EachRunsOnItsOwnStack) {
  Runner<LooksAround> a, b;
  a.enter(), b.enter();
  EXPECT_TRUE(a.owns(a.body.frame));
  EXPECT_TRUE(b.owns(b.body.frame));
  EXPECT_FALSE(a.owns(__builtin_frame_address(0)));
}

/// Leaves in the depths of a recursion: each frame keeps numbers of its own.
struct Recurses {
  int seed;
  long sum = 0;
  void run() { sum = descend(20); }
  long descend(int depth) {
    volatile int numbers[16];
    for (int i = 0; i < 16; ++i) numbers[i] = seed + depth * i;
    double half = seed + depth / 2.0;
    Fiber::leave();
    long result = depth == 0 ? 0 : descend(depth - 1);
    Fiber::leave();
    for (int i = 0; i < 16; ++i) result += numbers[i];
    return result + static_cast<long>(2 * half);
  }
};

TEST_F(Fibers, WhatIsOnTheStackSurvivesWhileOthersRun) {
  std::vector<std::unique_ptr<Runner<Recurses>>> fibers;
  for (int seed = 0; seed < 5; ++seed) fibers.push_back(std::make_unique<Runner<Recurses>>(seed));
  for (int turn = 0; turn < 43; ++turn)  // 21 calls, each of which leaves twice
    for (auto& fiber : fibers) {
      EXPECT_EQ(fiber->body.sum, 0);
      fiber->enter();
    }
  // Over depths d from 0 to 20: 16·seed + 120·d from the numbers, 2·seed + d from the half.
  for (auto& fiber : fibers) EXPECT_EQ(fiber->body.sum, 21 * 18 * fiber->body.seed + 121 * 210);
}

// --- thread-local storage --------------------------------------------------------------------------------------------

thread_local int local_number = 1;

/// A copy of the thread's storage from `local_number` up to the words behind the thread pointer.
class Storage {
 public:
  Storage() {
    const std::uintptr_t engine = thread_pointer(), begin = reinterpret_cast<std::uintptr_t>(&local_number) / 64 * 64;
    const std::size_t below = engine - begin;
    memory_.resize(below + kBehind + 64);
    const std::uintptr_t base = (reinterpret_cast<std::uintptr_t>(memory_.data()) + 63) / 64 * 64 + engine % 64;
    pointer_ = base + below;
    std::memcpy(reinterpret_cast<void*>(base), reinterpret_cast<void*>(begin), below + kBehind);
    *reinterpret_cast<std::uintptr_t*>(pointer_) = pointer_;  // as the ABI wants it
  }
  std::uintptr_t pointer() const { return pointer_; }

 private:
  static constexpr std::size_t kBehind = 64;  // the canary of the stack is there
  std::vector<unsigned char> memory_;
  std::uintptr_t pointer_ = 0;
};

/// Nothing of libc or of a sanitizer may be called here: what they keep in thread-local storage is not there.
struct UsesItsOwn {
  std::uintptr_t pointer = 0;
  int begin = 0, end = 0;
  __attribute__((no_sanitize("address", "undefined"))) void run() {
    pointer = thread_pointer();
    begin = local_number;
    local_number = 5;
    Fiber::leave();
    end = local_number;
  }
};

TEST_F(Fibers, EachHasThreadLocalStorageOfItsOwn) {
  const std::uintptr_t engine = thread_pointer();
  EXPECT_EQ(Fiber::engine_thread_pointer(), engine);
  local_number = 2;
  Storage storages[2];
  Runner<UsesItsOwn> a, b;
  a.start(storages[0].pointer()), b.start(storages[1].pointer());
  local_number = 3;
  a.enter();
  EXPECT_EQ(thread_pointer(), engine);
  EXPECT_EQ(local_number, 3);
  b.enter();
  a.enter();
  EXPECT_EQ(local_number, 3);
  EXPECT_EQ(a.body.pointer, storages[0].pointer());
  EXPECT_EQ(b.body.pointer, storages[1].pointer());
  EXPECT_EQ(a.body.begin, 2);
  EXPECT_EQ(b.body.begin, 2);
  EXPECT_EQ(a.body.end, 5);
  local_number = 1;
}

/// Goes on to the other one twice, then back to the engine, again and again.
struct PassesOn {
  std::vector<int>& log;
  int number;
  Fiber* other = nullptr;
  std::uintptr_t seen = 0;
  void run() {
    for (int n = number;; ++n) {
      log.push_back(n);
      seen = thread_pointer();
      if (n % 3 == 2) Fiber::leave();
      else Fiber::leave_for(*other);
    }
  }
};

TEST_F(Fibers, GoOnToEachOtherWithoutTheEngine) {
  const std::uintptr_t engine = thread_pointer();
  std::vector<int> log;
  log.reserve(16);  // the storage is too small for malloc
  Storage storages[2];
  Runner<PassesOn> a(log, 10), b(log, 30);  // a: 10, then the engine at 11, 14, …; b: the engine at 32, 35, …
  a.start(storages[0].pointer()), b.start(storages[1].pointer());
  a.body.other = b.fiber(), b.body.other = a.fiber();
  a.enter();  // 10 | 30 | 11, leaves
  EXPECT_EQ(log, (std::vector<int>{10, 30, 11}));
  EXPECT_EQ(thread_pointer(), engine);
  EXPECT_EQ(Fiber::running(), nullptr);
  EXPECT_EQ(a.body.seen, storages[0].pointer());
  EXPECT_EQ(b.body.seen, storages[1].pointer());
  b.enter();  // 31 | 12 | 32, leaves: each goes on where it was
  EXPECT_EQ(log, (std::vector<int>{10, 30, 11, 31, 12, 32}));
  EXPECT_EQ(thread_pointer(), engine);
  a.enter();  // 13 | 33 | 14, leaves
  EXPECT_EQ(log, (std::vector<int>{10, 30, 11, 31, 12, 32, 13, 33, 14}));
  EXPECT_EQ(Fiber::running(), nullptr);
}

TEST_F(Fibers, TheThreadPointerCanBeSet) {
  const std::uintptr_t engine = thread_pointer();
  Storage storage;
  set_thread_pointer(storage.pointer());
  const std::uintptr_t seen = thread_pointer();
  set_thread_pointer(engine);
  EXPECT_EQ(seen, storage.pointer());
  EXPECT_EQ(thread_pointer(), engine);
}

}  // namespace
}  // namespace ordeal::runtime::testing
