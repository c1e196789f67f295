// The programs of the folder above, written for the brute force, and their numbers of classes.
//
//     c++ -std=c++20 -O2 *.cpp -o /tmp/brute_force && /tmp/brute_force [NAME…]
//
// What has one value only (an array's size, what a lock protects) is left out.
#include <cstdio>

#include "count.h"
#include "test.h"

namespace {

namespace barrier {
enum { kWaiting, kStep };
void wait(Context& c, int threads) {
  const Value step = c.load(kStep, sc);
  if (c.add_to(kWaiting, 1, sc) == threads - 1) {
    c.store(kWaiting, 0, sc);
    c.add_to(kStep, 1, sc);
  } else {
    c.require(c.load(kStep, sc) != step);
  }
}
Test test(const char* name, int threads) {
  return {name, in_threads(Program(threads, [threads](Context& c) { wait(c, threads); }))};
}
}  // namespace barrier

namespace chase_lev {
enum { kTop, kBottom, kArray, kCells = 10, kCellsOfSecond = 30 };
struct Deque {
  int size = 2, second_size = 4;
  Order publish = rel, steal_array = acq, steal_top = acq, take_last = sc;
  bool failing_take = true;  // whether a take is kept whose compare-exchange fails: its load of the top might have read the same

  int size_of(Value array) const { return array == 0 ? size : second_size; }
  int cell(Value array, Value index) const {
    return (array == 0 ? kCells : kCellsOfSecond) + static_cast<int>(index % size_of(array));
  }
  void push(Context& c, int value) const {
    const Value bottom = c.load(kBottom, rlx), top = c.load(kTop, acq);
    Value array = c.load(kArray, rlx);
    if (bottom - top > size_of(array) - 1) {
      c.load(kArray, rlx);
      const Value from = c.load(kTop, rlx), to = c.load(kBottom, rlx);
      for (Value i = from; i < to; ++i) c.store(cell(1, i), c.load(cell(0, i), rlx), rlx);
      c.store(kArray, 1, publish);
      array = c.load(kArray, rlx);
    }
    c.store(cell(array, bottom), value, rlx);
    c.fence(rel);
    c.store(kBottom, bottom + 1, rlx);
  }
  void take(Context& c) const {
    const Value bottom = c.load(kBottom, rlx) - 1, array = c.load(kArray, rlx);
    c.store(kBottom, bottom, rlx);
    c.fence(sc);
    Value top = c.load(kTop, rlx);
    if (top <= bottom) {
      c.load(cell(array, bottom), rlx);
      if (top != bottom) return;
      c.require(c.replace(kTop, top, top + 1, take_last, rlx) || failing_take);
    }
    c.store(kBottom, bottom + 1, rlx);
  }
  void steal(Context& c) const {
    Value top = c.load(kTop, steal_top);
    c.fence(sc);
    if (top >= c.load(kBottom, acq)) return;
    c.load(cell(c.load(kArray, steal_array), top), rlx);
    c.replace(kTop, top, top + 1, sc, rlx);
  }
  // 'p' pushes, 't' takes.
  void own(Context& c, const char* operations) const {
    for (; *operations != 0; ++operations) *operations == 'p' ? push(c, 1) : take(c);
  }
};
// What the owner does before it starts the thieves, meanwhile, and after they have ended.
Test test(const char* name, Deque deque, int thieves, int steals, const char* before, const char* meanwhile,
          const char* after = "") {
  Program program = {[=](Context& c) {
    deque.own(c, before);
    for (int i = 1; i <= thieves; ++i) c.create(i);
    deque.own(c, meanwhile);
    for (int i = 1; i <= thieves; ++i) c.join(i);
    deque.own(c, after);
  }};
  for (int i = 0; i < thieves; ++i)
    program.push_back([=](Context& c) {
      for (int j = 0; j < steals; ++j) deque.steal(c);
    });
  return {name, program};
}
}  // namespace chase_lev

namespace dekker {
enum { kFlag0, kFlag1, kTurn };
void enter_once(Context& c, int me) {
  const int other = 1 - me;
  c.store(kFlag0 + me, 1, rlx);
  c.fence(sc);
  while (c.load(kFlag0 + other, rlx) != 0) {
    c.require(c.load(kTurn, rlx) != me);
    c.store(kFlag0 + me, 0, rlx);
    c.require(c.load(kTurn, rlx) == me);
    c.store(kFlag0 + me, 1, rlx);
    c.fence(sc);
  }
  c.fence(acq);
  c.store(kTurn, other, rlx);
  c.fence(rel);
  c.store(kFlag0 + me, 0, rlx);
}
Test test() {
  return {"dekker-fences", in_threads({[](Context& c) { enter_once(c, 0); }, [](Context& c) { enter_once(c, 1); }})};
}
}  // namespace dekker

namespace rw_lock {
enum { kCounter, kShared };
constexpr Value kBias = 0x00100000;
Value take(Context& c, Value amount) { return c.add_to(kCounter, -amount, acq); }
void unlock(Context& c, Value amount) { c.add_to(kCounter, amount, rel); }
bool is_free(Value counter, Value amount) { return amount == 1 ? counter > 0 : counter == kBias; }
bool can_lock(Context& c, Value amount) { return is_free(c.load(kCounter, rlx), amount); }
bool try_lock(Context& c, Value amount) {
  if (is_free(take(c, amount), amount)) return true;
  c.add_to(kCounter, amount, rlx);
  return false;
}
void lock(Context& c, Value amount) {
  while (!try_lock(c, amount)) c.require(can_lock(c, amount));
}
void read_then_write(Context& c) {
  for (Value amount : {Value{1}, kBias}) {
    lock(c, amount);
    unlock(c, amount);
  }
}
void lock_once(Context& c, Value amount) {
  lock(c, amount);
  unlock(c, amount);
}
Test spec2() {
  return {"linuxrwlocks-spec2",
          in_threads({[](Context& c) {
                        if (can_lock(c, kBias) && try_lock(c, kBias)) unlock(c, kBias);
                      },
                      [](Context& c) {
                        if (try_lock(c, kBias)) unlock(c, kBias);
                        if (can_lock(c, 1) && try_lock(c, 1)) unlock(c, 1);
                      }}),
          {{kCounter, kBias}}};
}
void spec3_first(Context& c) {
  lock(c, kBias);
  c.store(kShared, 17, rlx);
  unlock(c, kBias);
  if (can_lock(c, 1) && try_lock(c, 1)) {
    c.load(kShared, rlx);
    unlock(c, 1);
  }
}
void spec3_second(Context& c) {
  if (try_lock(c, kBias)) {
    c.store(kShared, 16, rlx);
    unlock(c, kBias);
  }
  lock(c, 1);
  c.load(kShared, rlx);
  unlock(c, 1);
}
}  // namespace rw_lock

namespace mcs_lock {
enum { kTail, kShared, kNext = 10, kGate = 20 };  // kNext + 1: of the first thread
void lock(Context& c, int me) {
  c.store(kNext + me, 0, rlx);
  c.store(kGate + me, 1, rlx);
  const int before = static_cast<int>(c.change(kTail, acq_rel, [me](Value) { return me; }));
  if (before == 0) return;
  c.store(kNext + before, me, rel);
  c.require(c.load(kGate + me, acq) == 0);
}
// If the compare-exchange fails, the first load might have read what the second one reads: `failures` says whether that is kept.
void unlock(Context& c, int me, Order leave, bool failures) {
  Value behind = c.load(kNext + me, acq);
  if (behind == 0) {
    Value last = me;
    if (c.replace(kTail, last, 0, leave, leave == rel ? rlx : acq)) return;
    c.require(failures);
    behind = c.load(kNext + me, acq);
    c.require(behind != 0);
  }
  c.store(kGate + static_cast<int>(behind), 0, rel);
}
void twice(Context& c, int me, Order leave, bool shares, bool failures) {
  for (int i = 1; i <= 2; ++i) {
    lock(c, me);
    if (shares && i == me) c.store(kShared, 17, rlx);
    if (shares && i != me) c.load(kShared, rlx);
    unlock(c, me, leave, failures);
  }
}
Test test(const char* name, Order leave, bool shares, bool failures = false) {
  return {name, in_threads({[=](Context& c) { twice(c, 1, leave, shares, failures); },
                            [=](Context& c) { twice(c, 2, leave, shares, failures); }})};
}
}  // namespace mcs_lock

std::vector<Test> tests() {
  const chase_lev::Deque fixed, four{.size = 4};
  const chase_lev::Deque spec{.second_size = 8, .steal_top = rlx, .take_last = rlx};
  chase_lev::Deque sixteen = spec;
  sixteen.size = 16;
  chase_lev::Deque fixed_no_failure = fixed;
  fixed_no_failure.failing_take = false;
  using rw_lock::kBias;
  const std::map<int, Value> unlocked = {{rw_lock::kCounter, kBias}};
  return {
      barrier::test("barrier", 2),
      barrier::test("barrier-3", 3),
      chase_lev::test("chase-lev", fixed, 1, 1, "", "ppptt"),
      chase_lev::test("chase-lev-spec1", spec, 1, 2, "", "ppptt"),
      chase_lev::test("chase-lev-spec2", sixteen, 1, 2, "p", "pt", "t"),
      chase_lev::test("chase-lev-spec3", spec, 2, 1, "p", "pt", "t"),
      chase_lev::test("chase-lev-spec4", spec, 1, 1, "", "ppptt"),
      chase_lev::test("chase-lev-automo1", four, 1, 1, "", "p"),
      chase_lev::test("chase-lev-automo2", four, 1, 2, "ppp", "t"),
      chase_lev::test("chase-lev-automo3", four, 2, 1, "ppp", "t"),
      chase_lev::test("chase-lev-automo4", fixed, 1, 1, "", "ppptt"),
      chase_lev::test("chase-lev-automo5", fixed, 1, 1, "p", "t"),
      chase_lev::test("chase-lev-automo6", fixed, 2, 1, "p", "tpt"),
      chase_lev::test("chase-lev-automo6, no failure", fixed_no_failure, 2, 1, "p", "tpt"),
      dekker::test(),
      {"linuxrwlocks", in_threads({rw_lock::read_then_write, rw_lock::read_then_write}), unlocked},
      {"linuxrwlocks-spec1",
       in_threads({[](Context& c) { rw_lock::lock_once(c, kBias); }, [](Context& c) { rw_lock::lock_once(c, 1); }}),
       unlocked},
      rw_lock::spec2(),
      {"linuxrwlocks-spec3", in_threads({rw_lock::spec3_first, rw_lock::spec3_second}), unlocked},
      mcs_lock::test("mcs-lock", acq_rel, false),
      mcs_lock::test("mcs-lock-spec", rel, false),
      mcs_lock::test("mcs-lock-automo1", acq_rel, true),
      mcs_lock::test("mcs-lock, failures", acq_rel, false, true),
      mcs_lock::test("mcs-lock-spec, failures", rel, false, true),
      mcs_lock::test("mcs-lock-automo1, failures", acq_rel, true, true),
  };
}

}  // namespace

int main(int count, char** names) {
  std::vector<Test> all = tests();
  for (const Test& test : queues()) all.push_back(test);
  for (const Test& test : all) {
    bool is_wanted = count < 2;
    for (int i = 1; i < count; ++i) is_wanted |= test.name == names[i];
    if (!is_wanted) continue;
    const Count found = count_classes(test.program, test.initial);
    std::printf("%-40s %6zu classes of %7zu graphs\n", test.name.c_str(), found.classes, found.graphs);
    std::fflush(stdout);
  }
}
