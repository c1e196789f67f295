// The programs of the folder above, written for the brute force, and their numbers of classes.
//
//     c++ -std=c++20 -O2 *.cpp -o /tmp/brute_force && /tmp/brute_force [NAME…]
//
// What has one value only (an array's size, what a lock protects) is left out.
#include <cstdio>
#include <string>

#include "count.h"

namespace {

struct Test {
  std::string name;
  Program program;
  std::map<int, Value> initial = {};
};

Program in_threads(const Program& threads) {
  const int count = static_cast<int>(threads.size());
  Program program = {[count](Context& c) {
    for (int i = 1; i <= count; ++i) c.create(i);
    for (int i = 1; i <= count; ++i) c.join(i);
  }};
  program.insert(program.end(), threads.begin(), threads.end());
  return program;
}

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
      c.replace(kTop, top, top + 1, take_last, rlx);
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
void unlock(Context& c, int me, Order leave) {
  const Value behind = c.load(kNext + me, acq);
  if (behind == 0) {
    Value last = me;
    // If somebody comes now, all is as if he had been seen at once. (78 classes without that.)
    c.require(c.replace(kTail, last, 0, leave, leave == rel ? rlx : acq));
    return;
  }
  c.store(kGate + static_cast<int>(behind), 0, rel);
}
void twice(Context& c, int me, Order leave, bool shares) {
  for (int i = 1; i <= 2; ++i) {
    lock(c, me);
    if (shares && i == me) c.store(kShared, 17, rlx);
    if (shares && i != me) c.load(kShared, rlx);
    unlock(c, me, leave);
  }
}
Test test(const char* name, Order leave, bool shares) {
  return {name, in_threads({[=](Context& c) { twice(c, 1, leave, shares); },
                            [=](Context& c) { twice(c, 2, leave, shares); }})};
}
}  // namespace mcs_lock

namespace mpmc_queue {
enum { kBegun, kReadsEnded, kWritesEnded };
bool read(Context& c) {
  Value begun = c.load(kBegun, acq);
  do {
    if (begun >> 16 == (begun & 0xffff)) return false;
  } while (!c.replace(kBegun, begun, begun + 0x10000, acq_rel, acq));
  c.require(c.load(kWritesEnded, acq) == (begun & 0xffff));
  c.add_to(kReadsEnded, 1, rel);
  return true;
}
void write(Context& c, int size) {
  Value begun = c.load(kBegun, acq);
  do {
    if ((begun & 0xffff) == (begun >> 16) + size) return;
  } while (!c.replace(kBegun, begun, begun + 1, acq_rel, acq));
  c.require(c.load(kReadsEnded, acq) == begun >> 16);
  c.add_to(kWritesEnded, 1, rel);
}
void read_all(Context& c) {
  while (read(c)) {
  }
}
Test test(const char* name, int writers, int readers, int both, Value first) {
  Program threads;
  for (int i = 0; i < writers; ++i) threads.push_back([](Context& c) { write(c, 4); });
  for (int i = 0; i < readers; ++i) threads.push_back(read_all);
  for (int i = 0; i < both; ++i)
    threads.push_back([](Context& c) {
      write(c, 4);
      read_all(c);
    });
  return {name, in_threads(threads), {{kBegun, first}, {kWritesEnded, first}}};
}
Test spec(const char* name, Value first) {
  return {name,
          in_threads({[](Context& c) { write(c, 2); }, [](Context& c) { read(c); }}),
          {{kBegun, first}, {kWritesEnded, first}}};
}
}  // namespace mpmc_queue

namespace ms_queue {
enum { kHead, kTail, kNext = 10, kPoison = 0x666 };
Value pointer(Value node, Value count) { return count << 32 | node; }
int node_of(Value pointer) { return static_cast<int>(pointer & 0xffffffff); }

// Which turns that changed nothing are kept, and the orders that AutoMO found to be too weak.
struct Queue {
  bool tail_turns = false;       // enqueue: another look at the tail differs, or it was moved by somebody else
  bool second_look = false;      // dequeue: another look at the head differs
  bool failing_exchange = false; // dequeue: somebody else moves the head
  Order end_node = rel, load_tail = acq;

  static bool move(Context& c, int place, Value old, int node) {
    return c.replace(place, old, pointer(node, (old >> 32) + 1), rel, rlx);
  }
  void enqueue(Context& c, int node) const {
    const Value old = c.load(kNext + node, rlx);
    c.store(kNext + node, pointer(0, old >> 32), end_node);
    for (;;) {
      const Value tail = c.load(kTail, acq);
      const int next_of_tail = kNext + node_of(tail);
      const Value next = c.load(next_of_tail, acq);
      if (tail != c.load(kTail, rlx)) {
        c.require(tail_turns);
        continue;
      }
      if (node_of(next) == 0 && move(c, next_of_tail, next, node)) {
        move(c, kTail, tail, node);
        return;
      }
      c.require(move(c, kTail, tail, node_of(c.load(next_of_tail, acq))) || tail_turns);
    }
  }
  // Returns the node that is free now, or 0.
  int dequeue(Context& c) const {
    for (;;) {
      const Value head = c.load(kHead, acq), tail = c.load(kTail, load_tail), next = c.load(kNext + node_of(head), acq);
      if (head != c.load(kHead, rlx)) {
        c.require(second_look);
      } else if (node_of(head) == node_of(tail)) {
        if (node_of(next) == 0) return 0;
        c.require(move(c, kTail, tail, node_of(next)) || tail_turns);
      } else {
        if (move(c, kHead, head, node_of(next))) return node_of(head);
        c.require(failing_exchange);
      }
    }
  }
};
constexpr Queue kEveryTurn{.tail_turns = true, .second_look = true, .failing_exchange = true};
constexpr Queue kWeakEveryTurn{
    .tail_turns = true, .second_look = true, .failing_exchange = true, .end_node = rlx, .load_tail = rlx};

// 'e' enqueues, 'd' dequeues; a thread uses the node again that it has dequeued.
Test test(const char* name, const std::vector<const char*>& threads, Queue queue = {}) {
  Test test{name, {}, {{kHead, 1}, {kTail, 1}}};
  Program program;
  for (const char* operations : threads) {
    const int node = 2 + 4 * static_cast<int>(program.size());
    test.initial[kNext + node] = test.initial[kNext + node + 1] = kPoison;
    program.push_back([=](Context& c) {
      for (int mine = node, i = 0; operations[i] != 0; ++i) {
        if (operations[i] == 'e')
          queue.enqueue(c, mine);
        else
          mine = queue.dequeue(c);
      }
    });
  }
  test.program = in_threads(program);
  return test;
}
}  // namespace ms_queue

namespace spsc_queue {
enum { kNext, kCount, kGuard, kWaiting, kWoken, kWaiters, kChoice };
constexpr Value kWaits = 0x80000000;

// A lock that finds the mutex held would wait: another graph has it later.
void lock(Context& c) {
  c.require(c.change(kGuard, acq, [](Value) { return 1; }) == 0);
}
void unlock(Context& c) {
  c.change(kGuard, rel, [](Value) { return 0; });
}
void produce(Context& c) {
  c.store(kNext, 1, rel);
  Value count = c.add_to(kCount, 0, sc);
  if ((count & kWaits) == 0) return;
  lock(c);
  while (!c.replace(kCount, count, (count + 1) & ~kWaits, rlx, rlx)) {
  }
  const Value waiters = c.load(kWaiters, rlx);  // the mutex protects it: it has one value
  c.store(kWaiters, 0, rlx);
  unlock(c);
  if (waiters == 0) return;
  if (c.change(kWaiting, rlx, [](Value) { return 0; }) != 0) c.store(kWoken, 1, rlx);
}

struct Consumer {
  bool may_wake = false;   // a wait may end without reason, once
  bool all_turns = false;  // also a second turn that ends because something was signalled

  void sleep(Context& c, bool& woke) const {
    c.store(kWaiters, c.load(kWaiters, rlx) + 1, rlx);
    c.change(kWaiting, rlx, [](Value) { return 1; });
    unlock(c);
    if (may_wake && !woke && c.load(kChoice, rlx) != 0) {
      woke = true;
      // If it is notified before it leaves, that is the same as being woken.
      c.require(c.change(kWaiting, rlx, [](Value) { return 0; }) != 0);
    } else {
      c.require(c.load(kWoken, rlx) != 0);
    }
    lock(c);
  }
  bool wait(Context& c, Value since, bool& woke) const {
    if ((c.load(kCount, sc) & ~kWaits) != since) return true;
    lock(c);
    const bool is_signalled = (c.load(kCount, sc) & ~kWaits) != since;
    if (!is_signalled) sleep(c, woke);
    unlock(c);
    return is_signalled;
  }
  void operator()(Context& c) const {
    bool woke = false;
    Value value = c.load(kNext, acq);
    while (value == 0) {
      const bool is_again = woke;
      const Value since = c.change(kCount, sc, [](Value count) { return count | kWaits; }) & ~kWaits;
      value = c.load(kNext, acq);
      if (value != 0) break;
      // The second turn wrote back what was there: if it does not sleep, it is as if the value had been seen before it.
      const bool is_signalled = wait(c, since, woke);
      c.require(!is_again || !is_signalled || all_turns);
      value = c.load(kNext, acq);
    }
  }
};
// The third thread is there for the choice: its store is seen or not.
Test test(const char* name, Consumer consumer) {
  return {name, in_threads({produce, consumer, [](Context& c) { c.store(kChoice, 1, rlx); }})};
}
}  // namespace spsc_queue

namespace hashtable {
enum { kKeysUsed, kValuesUsed, kKey = 10, kValue = 20, kHash = 30 };  // kKey + 1: the first thread's
void put(Context& c, int key) {
  c.load(kKey + key, rlx);
  Value none = 0;
  c.replace(kKey + key, none, key, rlx, rlx);
  c.add_to(kKeysUsed, 1, rlx);
  c.store(kHash + key, 1, rlx);
  c.load(kValue + key, acq);
  c.replace(kValue + key, none, 1, acq_rel, rlx);
  c.add_to(kValuesUsed, 1, rlx);
}
void get(Context& c, int key, bool sees_hashes) {
  const bool is_there = c.load(kKey + key, rlx) != 0;
  c.load(kValue + key, acq);
  if (is_there && sees_hashes) c.load(kHash + key, rlx);
}
Test test(const char* name, bool sees_hashes) {
  auto put_and_get = [sees_hashes](int mine, int other) {
    return [=](Context& c) {
      put(c, mine);
      get(c, other, sees_hashes);
    };
  };
  return {name, in_threads({put_and_get(1, 2), put_and_get(2, 1)})};
}
}  // namespace hashtable

std::vector<Test> tests() {
  const chase_lev::Deque fixed, four{.size = 4};
  const chase_lev::Deque spec{.second_size = 8, .steal_top = rlx, .take_last = rlx};
  chase_lev::Deque sixteen = spec;
  sixteen.size = 16;
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
      mpmc_queue::test("mpmc-queue", 0, 0, 2, 1),
      mpmc_queue::test("mpmc-queue-noinit", 0, 0, 2, 0),
      mpmc_queue::test("mpmc-queue-1r2w", 2, 1, 0, 1),
      mpmc_queue::test("mpmc-queue-1r2w-noinit", 2, 1, 0, 0),
      mpmc_queue::test("mpmc-queue-2r1w", 1, 2, 0, 1),
      mpmc_queue::test("mpmc-queue-2r1w-noinit", 1, 2, 0, 0),
      mpmc_queue::test("mpmc-queue-2r2w-noinit", 2, 2, 0, 0),
      mpmc_queue::test("mpmc-queue-2r2w", 2, 2, 0, 1),  // takes minutes
      mpmc_queue::spec("mpmc-queue-spec1", 0),
      mpmc_queue::spec("mpmc-queue-spec2", 2),
      ms_queue::test("ms-queue", {"ed", "ed"}),
      ms_queue::test("ms-queue, all turns", {"ed", "ed"}, ms_queue::kEveryTurn),
      ms_queue::test("ms-queue, weak orders", {"ed", "ed"}, ms_queue::kWeakEveryTurn),
      ms_queue::test("ms-queue, no failure", {"ed", "ed"}, {.tail_turns = true, .second_look = true}),
      ms_queue::test("ms-queue, no second look", {"ed", "ed"}, {.tail_turns = true, .failing_exchange = true}),
      ms_queue::test("ms-queue-spec1", {"e", "d"}),
      ms_queue::test("ms-queue-spec2", {"e", "e", "d"}),
      ms_queue::test("ms-queue-spec4", {"ede", "ed"}),
      ms_queue::test("ms-queue-automo2", {"e", "d", "d"}),
      ms_queue::test("ms-queue-automo3", {"e", "ede"}),
      spsc_queue::test("spsc-queue, no wake-up", {}),
      spsc_queue::test("spsc-queue", {.may_wake = true}),
      spsc_queue::test("spsc-queue, all turns", {.may_wake = true, .all_turns = true}),
      hashtable::test("hashtable", true),
      hashtable::test("hashtable, no hashes", false),
  };
}

}  // namespace

int main(int count, char** names) {
  for (const Test& test : tests()) {
    bool is_wanted = count < 2;
    for (int i = 1; i < count; ++i) is_wanted |= test.name == names[i];
    if (!is_wanted) continue;
    const Count found = count_classes(test.program, test.initial);
    std::printf("%-24s %6zu classes of %7zu graphs\n", test.name.c_str(), found.classes, found.graphs);
    std::fflush(stdout);
  }
}
