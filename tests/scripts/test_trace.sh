#!/usr/bin/env bash
# The execution in a report of random testing: every read has the value of the write it reads, of the same variable; the table has it.
set -euo pipefail
. "$ORDEAL_SOURCE_DIR/tests/support/native.bash"
[[ $tree != "$work/tree" ]] || exit 0 # no runtime here

cat >events.py <<'END'
"""Reads what --json printed; every event kind that is named must be there."""
import json, sys
wanted = set(sys.argv[1:])
bug = json.load(sys.stdin)["bugs"][0]
assert bug["events"], "no events"
writes, last = {}, {}
for event in bug["events"]:
    assert event["index"] == last.get(event["thread"], -1) + 1, ("index", event)
    last[event["thread"]] = event["index"]
    if event["kind"] == "write":
        writes[event["row"]] = event
for event in bug["events"]:
    wanted.discard(event["kind"])
    wanted.discard("rmw" if event.get("rmw") else "")
    if event["kind"] == "read" and event["reads_from"] != "init":
        source = writes[event["reads_from"]]
        assert (source["location"], source["value"]) == (event["location"], event["value"]), (source, event)
    if event["kind"] in ("read", "write", "create", "join"):
        assert event["line"] > 0, ("line", event)
assert not wanted, wanted
END
has_events() { # PROGRAM KINDS…
  local program=$1
  shift
  run "$ordeal" test --json --executions 3000 "$program" && exits 1
  python3 events.py "$@" <stdout || fail "the events of $program"
}
has_events "$ORDEAL_SOURCE_DIR/examples/check/message_bug.cpp" create join read write
has_events "$ORDEAL_SOURCE_DIR/examples/check/dekker_bug.cpp" read write
has_events "$ORDEAL_SOURCE_DIR/examples/check/lost_update_bug.cpp" read write
has_events "$ORDEAL_SOURCE_DIR/examples/check/stack_bug.cpp" rmw
has_events "$ORDEAL_SOURCE_DIR/examples/check/deadlock_bug.cpp" create rmw

# Random testing goes on behind a race: what a thread does comes before its join all the same.
run "$ordeal" test --full --executions 100 "$ORDEAL_SOURCE_DIR/examples/check/message_bug.cpp" && exits 1
reads=$(grep -n '>.*reads message' stdout | cut -d: -f1) joins=$(grep -n 'join thread 2' stdout | cut -d: -f1)
((reads < joins)) || fail "thread 2 reads in line $reads and is joined in line $joins"

# Fences, waits on a condition variable and a choice.
cat >fences.cpp <<'END'
#include <ordeal/ordeal.h>
#include <atomic>
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <thread>
std::atomic<int> x, y;
std::mutex mutex;
std::condition_variable changed;
bool ready;
int main() {
  int a = 0, b = 0;
  std::thread one([&] {
    x.store(1, std::memory_order_relaxed);
    std::atomic_thread_fence(std::memory_order_acq_rel);  // not enough
    a = y.load(std::memory_order_relaxed);
    std::lock_guard lock(mutex);
    ready = true;
    changed.notify_one();
  });
  y.store(1, std::memory_order_relaxed);
  std::atomic_thread_fence(std::memory_order_acq_rel);
  b = x.load(std::memory_order_relaxed);
  {
    std::unique_lock lock(mutex);
    changed.wait(lock, [] { return ready; });
  }
  one.join();
  assert(a == 1 || b == 1);
}
END
has_events fences.cpp fence read write rmw create join
run "$ordeal" test --executions 300 fences.cpp && exits 1
has stdout 'fence acq_rel' && has stdout 'x: 0 rlx, from init' && has stdout 'it takes weak memory'
run "$ordeal" replay ordeal-fences-assertion.replay && exits 1 && has stdout 'x: 0 rlx, from init'

# A long execution has no table, a note of none is needed: the stacks tell.
cat >long.cpp <<'END'
#include <atomic>
#include <thread>
std::atomic<int> x;
int data;
int main() {
  std::thread one([] { for (int i = 0; i < 10000; ++i) x.fetch_add(1, std::memory_order_relaxed); data = 1; });
  std::thread two([] { for (int i = 0; i < 10000; ++i) x.fetch_add(1, std::memory_order_relaxed); data = 2; });
  one.join(), two.join();
}
END
run "$ordeal" test --executions 3 --json long.cpp && exits 1
python3 -c 'import json; bug = json.load(open("stdout"))["bugs"][0]; assert bug["kind"] == "data-race" and bug["events"] == [] and all(t["stack"] for t in bug["threads"])' || fail 'a long execution'

# Of the executions with the same bug the shortest is shown, and replayed: as running each alone says, too.
run "$ordeal" c++ -std=c++20 -O1 "$ORDEAL_SOURCE_DIR/benchmarks/programs/rwlock-bug.cpp" -o rwlock && exits 0
run "$ordeal" test --json --executions 60 --output shortest.replay ./rwlock && exits 1
cp stdout all.json
python3 - "$ordeal" <<'END2' || fail "the execution that is shown"
import json, subprocess, sys
test = lambda *options: json.loads(subprocess.run([sys.argv[1], "test", "--json", "--output", "one.replay", *options, "./rwlock"], capture_output=True, text=True).stdout)
each = [(result["events"], number) for number in range(60) if (result := test("--first", str(number), "--executions", "1"))["failed"]]
(bug,) = json.load(open("all.json"))["bugs"]
assert (bug["count"], bug["first"], bug["shown"]) == (len(each), each[0][1], min(each)[1]), (bug, each)
assert bug["shown"] != bug["first"]
again = json.loads(subprocess.run([sys.argv[1], "replay", "--json", "shortest.replay"], capture_output=True, text=True).stdout)
assert (again["events"], again["first"]) == min(each), (again["events"], again["first"])
END2

# Threads that have the number of one before them are told apart: in a race, also the first one; in a deadlock the last.
cat >phases.cpp <<'END'
#include <atomic>
#include <thread>
std::atomic<bool> sent{false};
std::atomic<int> before{0};
int message = 0;
int main() {
  {
    std::thread a([] { before.fetch_add(1); }), b([] { before.fetch_add(1); });
    a.join(), b.join();
  }
  std::thread a([] {
    message = 42;
    sent.store(true, std::memory_order_relaxed);
  });
  std::thread b([] {
    while (!sent.load(std::memory_order_relaxed)) std::this_thread::yield();
    if (message != 42) throw 1;
  });
  a.join(), b.join();
}
END
run "$ordeal" test --executions 100 phases.cpp && exits 1
has stdout "data race on 'message': thread 2 #2 reads at phases.cpp:17, thread 1 #2 writes at"
has stdout 'With memory_order_release for the store at phases.cpp:13 and memory_order_acquire for the'
grep -E '^ +main +thread 1 +thread 2 +thread 1 #2 +thread 2 #2$' stdout >/dev/null || fail "the table's threads"
cat >earlier.cpp <<'END'
#include <atomic>
#include <thread>
std::atomic<int> x{0}, go{0};
int data = 0;
int main() {
  std::thread watcher([] {
    while (go.load(std::memory_order_relaxed) == 0) std::this_thread::yield();
    data = 2;
  });
  std::thread([] { x.store(1, std::memory_order_relaxed), data = 1; }).join();
  std::thread([] { x.store(2, std::memory_order_relaxed), go.store(1, std::memory_order_relaxed); }).join();
  watcher.join();
}
END
run "$ordeal" test --executions 100 earlier.cpp && exits 1
has stdout "data race on 'data': thread 1 writes at earlier.cpp:8, thread 2 writes at earlier.cpp:10"
grep -E '^ +main +thread 1 +thread 2 +thread 2 #2$' stdout >/dev/null || fail "the table's threads"
cat >deadlock.cpp <<'END'
#include <mutex>
#include <thread>
std::mutex m, n;
int main() {
  std::thread([] { m.lock(), m.unlock(); }).join();
  std::thread a([] { m.lock(), n.lock(), n.unlock(), m.unlock(); }), b([] { n.lock(), m.lock(), m.unlock(), n.unlock(); });
  a.join(), b.join();
}
END
run "$ordeal" test --executions 100 deadlock.cpp && exits 1
has stdout 'deadlock: main waits at deadlock.cpp:7 for the end of thread 1 #2; thread 1 #2 waits'
has stdout "waits for mutex 'm', held by thread 1 #2"

# --- which access: accesses of one thread in one tick are one to the shadow, and run again ------------------------------------------
cat >fields.cpp <<'END'
#include <atomic>
#include <thread>
struct Object {
  std::atomic<int> count{2};
  int first = 0, second = 0;
};
void drop(Object* object) {
  if (object->count.fetch_sub(1, std::memory_order_relaxed) == 1) {
    delete object;
  }
}
int main() {
  auto* object = new Object;
  std::thread t([object] {
    object->first = 4;
    std::atomic_signal_fence(std::memory_order_seq_cst);
    object->second = 5;
    drop(object);
  });
  drop(object);
  t.join();
}
END
run "$ordeal" test fields.cpp && exits 1
tr -s '\n ' ' ' <stdout >told
has told "on 'Object::count': thread 1 frees it at fields.cpp:9, main atomically writes at fields.cpp:8"
has told 'main atomically writes 4 bytes'
has told "on 'Object::first': main frees it at fields.cpp:9, thread 1 writes at fields.cpp:15"
has told "on 'Object::second': main frees it at fields.cpp:9, thread 1 writes at fields.cpp:17"
has_not told '8 bytes #0'
cat >wide.cpp <<'END'
#include <atomic>
#include <thread>
struct alignas(8) Four {
  int a, b, c, d;
} four;
long long seen;
int main() {
  std::thread t([] {
    four.b = 4;
    std::atomic_signal_fence(std::memory_order_seq_cst);
    four.c = 5;
  });
  seen = *reinterpret_cast<volatile long long*>(&four.a);
  t.join();
}
END
run "$ordeal" test --executions 20 wide.cpp && exits 1
tr -s '\n ' ' ' <stdout >told
has told "data race on 'four.b': main reads at wide.cpp:13, thread 1 writes at wide.cpp:9"
has told 'main reads 8 bytes #0'
has told 'thread 1 writes 4 bytes #0'
has told 'bug: 1 bug,'

# --- a load of what nobody has written is one row ------------------------------------------------------------------------------------
cat >unwritten.cpp <<'END'
#include <atomic>
#include <cstdlib>
#include <thread>
int main() {
  auto* state = static_cast<std::atomic<int>*>(std::malloc(sizeof(std::atomic<int>)));
  std::thread t([state] { state->store(1, std::memory_order_relaxed); });
  const int seen = state->load(std::memory_order_relaxed);
  t.join();
  std::free(state);
  return seen == 77;
}
END
run "$ordeal" test --executions 100 unwritten.cpp && exits 1
has stdout 'load of uninitialised memory: main reads'
grep -E '^> +[a-z] .*: uninitialised rlx, from init' stdout >/dev/null || fail "the row of the load is not marked: $(<stdout)"
[[ $(grep -c '^>' stdout) == 1 ]] || fail "more than one row is marked: $(<stdout)"

# --- no progress: what the loop reads ----------------------------------------------------------------------------------------------
cat >spin.cpp <<'END'
#include <atomic>
#include <thread>
struct Lock {
  int padding[4];
  std::atomic<bool> held;
  void lock() {
    while (held.exchange(true, std::memory_order_acquire)) {
    }
  }
};
struct Queue {
  Lock lock;
  int length;
};
int main() {
  auto* queues = new Queue[2]();
  queues[1].lock.lock();
  std::thread t([queues] {
    queues[1].lock.lock();
    queues[1].length++;
  });
  t.join();
}
END
run "$ordeal" test --executions 2 spin.cpp && exits 1
tr -s '\n ' ' ' <stdout >told
has told "thread 1 goes round a loop, in which nothing changes: it last read 'Queue[1].lock.held' at spin.cpp:7"

# --- a race with the allocation: told as such, where it was -----------------------------------------------------------------------
cat >published.cpp <<'END'
#include <atomic>
#include <cstdlib>
#include <thread>
struct Node {
  std::atomic<int> value;
};
std::atomic<Node*> published{nullptr};
int main() {
  std::thread t([] {
    Node* node = published.load(std::memory_order_relaxed);
    if (node != nullptr) node->value.load(std::memory_order_relaxed);
  });
  auto* node = static_cast<Node*>(std::calloc(1, sizeof(Node)));
  node->value.store(1, std::memory_order_relaxed);
  published.store(node, std::memory_order_relaxed);
  t.join();
  std::free(node);
}
END
run "$ordeal" test --full --executions 100 published.cpp && exits 1
tr -s '\n ' ' ' <stdout >told
has told "data race on 'Node::value': thread 1 atomically reads at published.cpp:11, main allocates it at published.cpp:13"
has told "With memory_order_release for the store at published.cpp:15"
has_not told 'not deterministic'
has_not told 'was allocated by main' # it is told already
allocates=$(grep -n '^>.*allocates the block' stdout | cut -d: -f1) stores=$(grep -n 'published = &Node' stdout | cut -d: -f1)
((allocates < stores)) || fail "allocated in line $allocates, published in line $stores"

# --- of several accesses that race, the last one before the other ------------------------------------------------------------------
cat >before.cpp <<'END'
#include <atomic>
#include <thread>
int data;
std::atomic<bool> ready;
int main() {
  std::thread t([] {
    while (!ready.load(std::memory_order_relaxed)) {
    }
    int seen = data;
    asm volatile("" ::"r"(seen));
    ready.store(false, std::memory_order_relaxed);
  });
  data = 1;
  ready.store(true, std::memory_order_relaxed);
  while (ready.load(std::memory_order_relaxed)) {
  }
  data = 2;
  t.join();
}
END
run "$ordeal" test --executions 100 before.cpp && exits 1
has stdout "data race on 'data': thread 1 reads at before.cpp:9, main writes at before.cpp:13"
has_not stdout 'not deterministic'

# The earlier access is a compare-exchange that releases: it is found again, and its row is the one that is marked.
cat >exchange.cpp <<'END'
#include <atomic>
#include <thread>
int word;
std::atomic<int> turn;
int main() {
  std::thread other([] {
    int expected = 0;
    __atomic_compare_exchange_n(&word, &expected, 1, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED);
    turn.store(1, std::memory_order_relaxed);
  });
  while (turn.load(std::memory_order_relaxed) == 0) {
  }
  const int seen = word;
  other.join();
  return seen == 1 ? 0 : 1;
}
END
run "$ordeal" test --executions 100 exchange.cpp && exits 1
has stdout "data race on 'word': main reads at exchange.cpp:13, thread 1 atomically writes at exchange.cpp:8"
has_not stdout 'not deterministic'
grep -q '^>.*word: 0 -> 1 acq_rel' stdout || fail 'the row of the compare-exchange is not marked'

# A thread ends where its functions have returned: that is not where it last locked something.
cat >end.cpp <<'END'
#include <atomic>
#include <mutex>
#include <thread>
std::mutex mutex;
std::atomic<int*> lent;
std::atomic<int> done;
void owner() {
  int local = 1;
  mutex.lock();
  mutex.unlock();
  lent.store(&local, std::memory_order_release);
  while (done.load(std::memory_order_relaxed) == 0) {
  }
}
int main() {
  std::thread thread(owner);
  int* local = nullptr;
  while ((local = lent.load(std::memory_order_acquire)) == nullptr) {
  }
  *local = 2;
  done.store(1, std::memory_order_relaxed);
  thread.join();
}
END
run "$ordeal" test --executions 100 end.cpp && exits 1
has stdout 'thread 1 ends'
has_not stdout 'ends at'

# Volatile accesses that are said to be atomic have events, too, with the values that were written.
cat >volatile.cpp <<'END'
#include <atomic>
#include <cstdlib>
#include <thread>
volatile int word;
int main() {
  std::thread other([] {
    word = 7;
    word = 8;
    __atomic_fetch_add(&word, 1, __ATOMIC_RELAXED);
    word = word + 20;
  });
  if (__atomic_load_n(&word, __ATOMIC_RELAXED) == 29) std::abort();
  other.join();
}
END
run "$ordeal" test --json --executions 1000 --volatile relaxed volatile.cpp && exits 1
python3 events.py read write rmw <stdout || fail 'the events of volatile.cpp'
run "$ordeal" test --executions 1000 --volatile relaxed volatile.cpp && exits 1
has stdout 'word = 7 rlx'
has stdout 'word: 8 -> 9 rlx'
has stdout 'word = 29 rlx'

# What the program leaves behind in its process would change what it does when it is run again: that is done in another one. So there is a
# table, and what is shown as printed is what the execution with the bug has printed.
cat >mapped.cpp <<'END'
#include <sys/mman.h>
#include <cassert>
#include <cstdio>
#include <thread>
int shared;
int main(int argc, char**) {
  void* const wanted = reinterpret_cast<void*>(0x40000000);
  if (mmap(wanted, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0) != wanted) return 0;
  std::puts("the page is there");
  std::thread other([] { shared = 1; });
  if (argc > 1) assert(shared == 7);
  shared = 2;
  other.join();
}
END
for arguments in '' 1; do
  run "$ordeal" test --executions 10 mapped.cpp -- -- $arguments && exits 1
  has stdout 'because the program maps memory'
  has stdout '| the page is there'
  has stdout 'create thread 1'
  has_not stdout 'not deterministic'
done
cat >mapped_loop.cpp <<'END'
#include <sys/mman.h>
#include <atomic>
#include <thread>
std::atomic<int> never;
int main() {
  void* const wanted = reinterpret_cast<void*>(0x40000000);
  if (mmap(wanted, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0) != wanted) return 0;
  std::thread other([] {
    while (never.load() == 0) {
    }
  });
  other.join();
}
END
run "$ordeal" test --executions 1 mapped_loop.cpp && exits 1
has stdout 'no progress'
has_not stdout 'not deterministic'
