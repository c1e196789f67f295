// The queues and the hash table, written for the brute force (main.cpp). What a name has behind a comma says how it differs from the
// program of the folder above: README.md there has what it is for.
#include "test.h"

namespace {

namespace mpmc_queue {
enum { kBegun, kReadsEnded, kWritesEnded };
// A compare-exchange that fails reads what the load before it might have read, and acquires no less. Which such turns are kept: those of
// readers that find the queue empty then and give up, or all.
enum Failures { kNoFailures, kLastFailures, kFailures };
bool read(Context& c, Failures failures) {
  Value begun = c.load(kBegun, acq);
  for (;;) {
    if (begun >> 16 == (begun & 0xffff)) return false;
    if (c.replace(kBegun, begun, begun + 0x10000, acq_rel, acq)) break;
    c.require(failures == kFailures || (failures == kLastFailures && begun >> 16 == (begun & 0xffff)));
  }
  c.require(c.load(kWritesEnded, acq) == (begun & 0xffff));
  c.add_to(kReadsEnded, 1, rel);
  return true;
}
void write(Context& c, int size, Failures failures) {
  Value begun = c.load(kBegun, acq);
  for (;;) {
    if ((begun & 0xffff) == (begun >> 16) + size) return;
    if (c.replace(kBegun, begun, begun + 1, acq_rel, acq)) break;
    c.require(failures == kFailures);
  }
  c.require(c.load(kReadsEnded, acq) == begun >> 16);
  c.add_to(kWritesEnded, 1, rel);
}
void read_all(Context& c, Failures failures) {
  while (read(c, failures)) {
  }
}
Test test(const char* name, int writers, int readers, int both, Value first, Failures failures = kNoFailures) {
  Program threads;
  for (int i = 0; i < writers; ++i) threads.push_back([=](Context& c) { write(c, 4, failures); });
  for (int i = 0; i < readers; ++i) threads.push_back([=](Context& c) { read_all(c, failures); });
  for (int i = 0; i < both; ++i)
    threads.push_back([=](Context& c) {
      write(c, 4, failures);
      read_all(c, failures);
    });
  return {name, in_threads(threads), {{kBegun, first}, {kWritesEnded, first}}};
}
Test spec(const char* name, Value first) {
  return {name,
          in_threads({[](Context& c) { write(c, 2, kNoFailures); }, [](Context& c) { read(c, kNoFailures); }}),
          {{kBegun, first}, {kWritesEnded, first}}};
}
}  // namespace mpmc_queue

namespace ms_queue {
enum { kHead, kTail, kNext = 10, kPoison = 0x666 };
Value pointer(Value node, Value count) { return count << 32 | node; }
int node_of(Value pointer) { return static_cast<int>(pointer & 0xffffffff); }

// Which turns that changed nothing are kept, and the orders that AutoMO found to be too weak.
struct Queue {
  bool tail_turns = false;        // enqueue: another look at the tail differs, or it was moved by somebody else
  bool second_look = false;       // dequeue: another look at the head differs
  bool failing_exchange = false;  // dequeue: somebody else moves the head
  bool failing_move = true;       // enqueue: of tail_turns, those in which only the move of the tail fails
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
      c.require(move(c, kTail, tail, node_of(c.load(next_of_tail, acq))) || (tail_turns && failing_move));
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
enum { kNext, kCount, kGuard, kWaiting, kWoken, kWaiters, kChoice };  // kChoice + 1: the second one
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
  int most_wake_ups = 0;   // waits that may end without reason
  bool all_turns = false;  // also a second turn that ends because something was signalled

  void sleep(Context& c, int& wake_ups) const {
    c.store(kWaiters, c.load(kWaiters, rlx) + 1, rlx);
    c.change(kWaiting, rlx, [](Value) { return 1; });
    unlock(c);
    if (wake_ups < most_wake_ups && c.load(kChoice + wake_ups, rlx) != 0) {
      ++wake_ups;
      // If it is notified before it leaves, that is the same as being woken.
      c.require(c.change(kWaiting, rlx, [](Value) { return 0; }) != 0);
    } else {
      c.require(c.load(kWoken, rlx) != 0);
    }
    lock(c);
  }
  bool wait(Context& c, Value since, int& wake_ups) const {
    if ((c.load(kCount, sc) & ~kWaits) != since) return true;
    lock(c);
    const bool is_signalled = (c.load(kCount, sc) & ~kWaits) != since;
    if (!is_signalled) sleep(c, wake_ups);
    unlock(c);
    return is_signalled;
  }
  void operator()(Context& c) const {
    int wake_ups = 0;
    Value value = c.load(kNext, acq);
    while (value == 0) {
      const bool is_again = wake_ups != 0;
      const Value since = c.change(kCount, sc, [](Value count) { return count | kWaits; }) & ~kWaits;
      value = c.load(kNext, acq);
      if (value != 0) break;
      // The second turn wrote back what was there: if it does not sleep, it is as if the value had been seen before it.
      const bool is_signalled = wait(c, since, wake_ups);
      c.require(!is_again || !is_signalled || all_turns);
      value = c.load(kNext, acq);
    }
  }
};
// The third thread is there for the choices: its stores are seen or not.
Test test(const char* name, Consumer consumer) {
  return {name, in_threads({produce, consumer, [=](Context& c) {
                              for (int i = 0; i < consumer.most_wake_ups; ++i) c.store(kChoice + i, 1, rlx);
                            }})};
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

}  // namespace

std::vector<Test> queues() {
  return {
      mpmc_queue::test("mpmc-queue", 0, 0, 2, 1),
      mpmc_queue::test("mpmc-queue-noinit", 0, 0, 2, 0),
      mpmc_queue::test("mpmc-queue-1r2w", 2, 1, 0, 1),
      mpmc_queue::test("mpmc-queue-1r2w-noinit", 2, 1, 0, 0),
      mpmc_queue::test("mpmc-queue-2r1w", 1, 2, 0, 1),
      mpmc_queue::test("mpmc-queue-2r1w-noinit", 1, 2, 0, 0),
      mpmc_queue::test("mpmc-queue-2r2w-noinit", 2, 2, 0, 0),
      mpmc_queue::test("mpmc-queue-2r2w", 2, 2, 0, 1),
      mpmc_queue::test("mpmc-queue, last failures", 0, 0, 2, 1, mpmc_queue::kLastFailures),
      mpmc_queue::test("mpmc-queue-noinit, last failures", 0, 0, 2, 0, mpmc_queue::kLastFailures),
      mpmc_queue::test("mpmc-queue-1r2w, last failures", 2, 1, 0, 1, mpmc_queue::kLastFailures),
      mpmc_queue::test("mpmc-queue-1r2w-noinit, last failures", 2, 1, 0, 0, mpmc_queue::kLastFailures),
      mpmc_queue::test("mpmc-queue-2r1w, last failures", 1, 2, 0, 1, mpmc_queue::kLastFailures),
      mpmc_queue::test("mpmc-queue-2r1w-noinit, last failures", 1, 2, 0, 0, mpmc_queue::kLastFailures),
      mpmc_queue::test("mpmc-queue-2r2w-noinit, last failures", 2, 2, 0, 0, mpmc_queue::kLastFailures),
      mpmc_queue::test("mpmc-queue-2r2w, last failures", 2, 2, 0, 1, mpmc_queue::kLastFailures),
      mpmc_queue::test("mpmc-queue, failures", 0, 0, 2, 1, mpmc_queue::kFailures),
      mpmc_queue::test("mpmc-queue-noinit, failures", 0, 0, 2, 0, mpmc_queue::kFailures),
      mpmc_queue::test("mpmc-queue-1r2w, failures", 2, 1, 0, 1, mpmc_queue::kFailures),
      mpmc_queue::test("mpmc-queue-1r2w-noinit, failures", 2, 1, 0, 0, mpmc_queue::kFailures),
      mpmc_queue::test("mpmc-queue-2r1w, failures", 1, 2, 0, 1, mpmc_queue::kFailures),
      mpmc_queue::test("mpmc-queue-2r1w-noinit, failures", 1, 2, 0, 0, mpmc_queue::kFailures),
      mpmc_queue::test("mpmc-queue-2r2w-noinit, failures", 2, 2, 0, 0, mpmc_queue::kFailures),
      mpmc_queue::test("mpmc-queue-2r2w, failures", 2, 2, 0, 1, mpmc_queue::kFailures),  // takes minutes
      mpmc_queue::spec("mpmc-queue-spec1", 0),
      mpmc_queue::spec("mpmc-queue-spec2", 2),
      ms_queue::test("ms-queue", {"ed", "ed"}),
      ms_queue::test("ms-queue, all turns", {"ed", "ed"}, ms_queue::kEveryTurn),
      ms_queue::test("ms-queue, weak orders", {"ed", "ed"}, ms_queue::kWeakEveryTurn),
      ms_queue::test("ms-queue, no failure", {"ed", "ed"}, {.tail_turns = true, .second_look = true}),
      ms_queue::test("ms-queue, no failing move", {"ed", "ed"}, {.tail_turns = true, .second_look = true, .failing_move = false}),
      ms_queue::test("ms-queue, no second look", {"ed", "ed"}, {.tail_turns = true, .failing_exchange = true}),
      ms_queue::test("ms-queue, only failures", {"ed", "ed"}, {.failing_exchange = true}),
      ms_queue::test("ms-queue-spec1", {"e", "d"}),
      ms_queue::test("ms-queue-spec2", {"e", "e", "d"}),
      ms_queue::test("ms-queue-spec4", {"ede", "ed"}),
      ms_queue::test("ms-queue-automo2", {"e", "d", "d"}),
      ms_queue::test("ms-queue-automo3", {"e", "ede"}),
      spsc_queue::test("spsc-queue, no wake-up", {}),
      spsc_queue::test("spsc-queue", {.most_wake_ups = 1}),
      spsc_queue::test("spsc-queue, all turns", {.most_wake_ups = 1, .all_turns = true}),
      spsc_queue::test("spsc-queue, two wake-ups", {.most_wake_ups = 2, .all_turns = true}),
      spsc_queue::test("spsc-queue, three wake-ups", {.most_wake_ups = 3, .all_turns = true}),
      hashtable::test("hashtable", true),
      hashtable::test("hashtable, no hashes", false),
  };
}
