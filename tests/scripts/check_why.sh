#!/usr/bin/env bash
# Reports name the cause: the variable, the lines, the order that is too weak or who waits for whom, and what would have prevented it.
# The sentences were written from reading the programs. Then: the execution that is reported is the smallest that was found.
set -euo pipefail
. "$ORDEAL_SOURCE_DIR/tests/support/native.bash"
if [[ $tree == "$work/tree" ]]; then
  echo "skipped: there is no runtime beside the command"
  exit 0
fi

count=0
# says PROGRAM SENTENCE…: the report has all of them, wherever its lines are broken; '!' before one: it does not have it
says() {
  local program=$1 sentence text
  shift
  run "$ordeal" check "$program" && exits 1
  text=$(sed -n '1,/^bug: /p' stdout | tr -s '\n ' ' ')
  for sentence; do
    if [[ $sentence == '!'* ]]; then
      [[ $text != *"${sentence#!}"* ]] || fail "$program: unexpected: ${sentence#!} in: $text"
    else
      [[ $text == *"$sentence"* ]] || fail "$program: expected: $sentence in: $text"
    fi
  done
  count=$((count + 1))
}
examples=$ORDEAL_SOURCE_DIR/examples/check
native=$ORDEAL_SOURCE_DIR/tests/native

# --- races: the hop that does not synchronise -----------------------------------------------------------------------------------
says "$examples/message_bug.cpp" "reads 'sent' = true at message_bug.cpp:21" "from the store of thread 1 at message_bug.cpp:17" \
  "the store is relaxed, not release, and the load is relaxed, not acquire." \
  "With memory_order_release for the store at message_bug.cpp:17 and memory_order_acquire for the load at message_bug.cpp:21 the two accesses are ordered."
says "$examples/spinlock_bug.cpp" "reads 'spin.taken_' = false at spinlock_bug.cpp:15" "at spinlock_bug.cpp:18" "the store is relaxed, not release." \
  "With memory_order_release for the store at spinlock_bug.cpp:18 the two accesses are ordered." "!the load is"
says "$examples/ring_bug.cpp" "thread 1 reads 'ring.head_' = 1 at ring_bug.cpp:18" "from the store of main at ring_bug.cpp:27" \
  "With memory_order_acquire for the load at ring_bug.cpp:18 and memory_order_release for the store at ring_bug.cpp:27"
says "$examples/refcount_bug.cpp" "reads 'Shared::owners' = 1 at refcount_bug.cpp:17" "With memory_order_acq_rel for the read-modify-write at refcount_bug.cpp:17 the two accesses are ordered."
says "$examples/singleton_bug.cpp" "reads 'instance' = &Settings at singleton_bug.cpp:20" "at singleton_bug.cpp:26" \
  "With memory_order_acquire for the load at singleton_bug.cpp:20 and memory_order_release for the store at singleton_bug.cpp:26"
# --- deadlocks of three locks of different kinds; of a semaphore of C++20 -------------------------------------------------------
cat >three_locks.cpp <<'END'
#include <mutex>
#include <shared_mutex>
#include <thread>
std::mutex a;
std::shared_mutex b;
std::recursive_mutex c;
int main() {
  std::thread t([] { std::lock_guard x(a); std::shared_lock y(b); });
  std::thread u([] { std::unique_lock x(b); std::lock_guard y(c); });
  std::thread v([] { std::lock_guard x(c); std::lock_guard y(a); });
  t.join(), u.join(), v.join();
}
END
says three_locks.cpp "thread 2 holds 'b' since it locked it at three_locks.cpp:9" "thread 3 holds 'c' since it locked it at three_locks.cpp:10" \
  "thread 1 holds 'a' since it locked it at three_locks.cpp:8" "So thread 1 waits for thread 2, and thread 2 for thread 3, and thread 3 for thread 1." "!futex"
cat >semaphore.cpp <<'END'
#include <semaphore>
#include <thread>
std::counting_semaphore<3> left(1);
int main() {
  std::thread t([] {
    left.acquire();
  });
  t.join();
  left.acquire();
}
END
says semaphore.cpp "main waits because it reads 'left' = 0 at semaphore.cpp:9" "from the store of thread 1 at semaphore.cpp:6" "no thread is left that will store another value."

# Two that read and want to write: each waits for the other.
cat >upgrade.cpp <<'END'
#include <mutex>
#include <shared_mutex>
#include <thread>
std::shared_mutex table;
int entries;
void add() {
  std::shared_lock look(table);
  if (entries < 5) {
    std::unique_lock change(table);
    entries++;
  }
}
int main() {
  std::thread t(add);
  add();
  t.join();
}
END
says upgrade.cpp "main holds 'table' for reading since it locked it at upgrade.cpp:7 [" "thread 1 holds 'table' for reading since it locked it at upgrade.cpp:7 [" \
  "So main waits for thread 1, and thread 1 for main."
# A promise that is kept only if the flag is seen.
cat >promise.cpp <<'END'
#include <atomic>
#include <future>
#include <thread>
std::atomic<bool> ok;
int main() {
  std::promise<int> promised;
  std::future<int> result = promised.get_future();
  std::thread t([&promised] {
    if (ok.load()) promised.set_value(1);
  });
  ok.store(true);
  result.get();
  t.join();
}
END
says promise.cpp "main waits at promise.cpp:12 for a change of" "main goes on only if '" "no thread is left that will change it."
# What an exception says, if that is the library's to say.
cat >thrown.cpp <<'END'
#include <atomic>
#include <stdexcept>
#include <thread>
struct Own : std::runtime_error {
  using std::runtime_error::runtime_error;
};
struct Silent : std::exception {
  const char* what() const noexcept override { return "said by the program"; }
};
std::atomic<int> budget{1};
void spend() {
  if (budget.fetch_sub(1) <= 0) throw THROWN;
}
int main() {
  std::thread t(spend);
  try {
    spend();
  } catch (...) {
  }
  t.join();
}
END
thrown() { # EXPRESSION NAME WHAT-IS-TOLD
  sed "s/THROWN/$1/" thrown.cpp >"thrown_$2.cpp"
  says "thrown_$2.cpp" "uncaught exception at thrown_$2.cpp:12: $3 It takes"
}
thrown 'std::runtime_error("no budget")' standard 'std::runtime_error: no budget'
thrown 'Own("none <left>")' own 'Own: none <left>'
thrown 'Silent()' silent 'Silent'
thrown 'std::bad_alloc()' bad_alloc 'std::bad_alloc'
thrown '7' number 'int'
thrown 'std::string("text")' string "std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char> >"

# --- a race that no order prevents: the flag is not atomic ----------------------------------------------------------------------
says "$examples/flag_bug.cpp" "data race on 'ready'" "Nothing orders the two accesses" "!With memory_order"
# --- weak memory ----------------------------------------------------------------------------------------------------------------
says "$examples/dekker_bug.cpp" "data race on 'shared'" "No interleaving of the threads does this" "= false at dekker_bug.cpp:16" "had stored true at dekker_bug.cpp:15" \
  "the store does not happen before the load: what thread" \
  "With memory_order_seq_cst for the store at dekker_bug.cpp:15 and for the load at dekker_bug.cpp:16 this execution is impossible."
says "$examples/seqlock_bug.cpp" "assertion failed at" "seqlock_bug.cpp:36" "main reads 'version' = 0 at seqlock_bug.cpp:27" "although thread 1 had stored" "this execution is impossible."
# --- no weak memory: nothing to strengthen --------------------------------------------------------------------------------------
says "$examples/lost_update_bug.cpp" "hits == 2" "It takes no weak memory" "!With memory_order" "!With a fence"
says "$examples/stack_bug.cpp" "It takes no weak memory" "!With memory_order" "!With a fence"
# --- waiting --------------------------------------------------------------------------------------------------------------------
says "$examples/deadlock_bug.cpp" "holds 'b.mutex' since it locked it at deadlock_bug.cpp:17" "holds 'a.mutex' since it locked it at deadlock_bug.cpp:17" \
  "So thread 1 waits for thread 2, and thread 2 for thread 1."
says "$examples/wakeup_bug.cpp" "thread 2 notified 'changed' at wakeup_bug.cpp:24" "when nobody waited: thread 1 began to wait afterwards at wakeup_bug.cpp:19"
says "$native/atomic_wait_bug.cpp" "thread 1 blocks because it reads 'flag' = 0 at atomic_wait_bug.cpp:9" "main stores 1 at atomic_wait_bug.cpp:10"
says "$native/spin_flag_bug.cpp" "main reads 'flag' = 1 again and again, from the store of thread 1 at spin_flag_bug.cpp:11" "It goes on only if another value than 1 is stored there."

# --- a chain through a third thread: only its first hop is too weak -------------------------------------------------------------
cat >relay.cpp <<'END'
#include <atomic>
#include <thread>
std::atomic<int> first, second;
int data;
int main() {
  std::thread a([] {
    data = 1;
    first.store(1, std::memory_order_relaxed);
  });
  std::thread b([] {
    if (first.load(std::memory_order_acquire) == 1) second.store(1, std::memory_order_release);
  });
  if (second.load(std::memory_order_acquire) == 1) data = 2;
  a.join();
  b.join();
}
END
says relay.cpp "data race on 'data'" "thread 2 reads 'first' = 1 at relay.cpp:11" "from the store of thread 1 at relay.cpp:8" \
  "(on the way from thread 1 to main)" "the store is relaxed, not release." "!'second' = 1 at" \
  "With memory_order_release for the store at relay.cpp:8 the two accesses are ordered."
# What is proposed is right: the program is verified then.
sed 's/first.store(1, std::memory_order_relaxed)/first.store(1, std::memory_order_release)/' relay.cpp >relay_fixed.cpp
run "$ordeal" check relay_fixed.cpp && exits 0

# --- what one would do next: the load that is blamed is the one to change, though another one would forbid this execution, too ------
cat >read_lock.cpp <<'END'
#include <atomic>
#include <cassert>
#include <thread>
std::atomic<int> state;
int value;
int main() {
  std::thread reader([] {
    int readers = state.load(std::memory_order_relaxed);
    while (readers < 0 || !state.compare_exchange_strong(readers, readers + 1, std::memory_order_relaxed, std::memory_order_relaxed)) readers = state.load(std::memory_order_relaxed);
    assert(value <= 1);
    state.fetch_sub(1, std::memory_order_release);
  });
  std::thread writer([] {
    int none = 0;
    while (!state.compare_exchange_strong(none, -1, std::memory_order_acquire, std::memory_order_relaxed)) none = 0;
    value = 1;
    state.store(0, std::memory_order_release);
  });
  reader.join();
  writer.join();
}
END
says read_lock.cpp "data race on 'value'" "reads 'state' = 0 at read_lock.cpp:9" "With memory_order_acquire for the read-modify-write at read_lock.cpp:9 the two accesses are ordered."
sed 's/readers + 1, std::memory_order_relaxed/readers + 1, std::memory_order_acquire/' read_lock.cpp >read_lock_fixed.cpp
run "$ordeal" check read_lock_fixed.cpp && exits 0

# --- hazard pointers without fences: the load returns what was there before, and what is there again ------------------------------
cat >hazard.cpp <<'END'
#include <atomic>
#include <thread>
struct Node { int value = 7; };
std::atomic<Node*> head, hazard;
int main() {
  head = new Node;
  std::thread reader([] {
    Node* node = head.load(std::memory_order_acquire);
    if (node == nullptr) return;
    hazard.store(node, std::memory_order_release);
    if (head.load(std::memory_order_acquire) == node) node->value = 8;
    hazard.store(nullptr, std::memory_order_release);
  });
  std::thread remover([] {
    Node* node = head.exchange(nullptr, std::memory_order_acq_rel);
    if (hazard.load(std::memory_order_acquire) != node) delete node;
  });
  reader.join();
  remover.join();
}
END
says hazard.cpp "use after free (race between free and access) on 'Node::value'" "thread 2 reads 'hazard' = nullptr at hazard.cpp:16" "although thread 1 had stored &Node at hazard.cpp:10" \
  ", and then nullptr at hazard.cpp:12" "between the store at hazard.cpp:10 and the load at hazard.cpp:11" "between the read-modify-write at hazard.cpp:15 and the load at hazard.cpp:16"
# --- a fence at the wrong place; a mutex that only one of the two locks; two loads in one line --------------------------------------
cat >late_fence.cpp <<'END'
#include <atomic>
#include <cassert>
#include <thread>
int data;
std::atomic<int> flag;
int main() {
  std::thread sender([] {
    data = 1;
    flag.store(1, std::memory_order_relaxed);
    std::atomic_thread_fence(std::memory_order_release);
  });
  while (flag.load(std::memory_order_relaxed) == 0) {}
  std::atomic_thread_fence(std::memory_order_acquire);
  assert(data == 1);
  sender.join();
}
END
says late_fence.cpp "the store is relaxed, not release (the fence at late_fence.cpp:10 [" "] comes after it)." "With memory_order_release for the store at late_fence.cpp:9 the two accesses are ordered."
cat >one_locks.cpp <<'END'
#include <mutex>
#include <thread>
std::mutex m;
int count;
int main() {
  std::thread other([] {
    std::lock_guard hold(m);
    ++count;
  });
  ++count;
  other.join();
}
END
says one_locks.cpp "thread 1 holds 'm', locked at one_locks.cpp:7 [" "], and main holds no mutex."
sed -e 's/^std::mutex m;/std::mutex m, other_m;/' -e 's/^  ++count;/  { std::lock_guard hold(other_m); ++count; }/' one_locks.cpp >other_locks.cpp
says other_locks.cpp "thread 1 holds 'm', locked at other_locks.cpp:7 [" "'other_m', locked at other_locks.cpp:10 [" "]: these are two mutexes."
sed -e 's/std::mutex m;/std::recursive_mutex m;/' -e 's/std::lock_guard hold(m);/m.lock(), m.lock(), m.unlock();/' one_locks.cpp >locked_twice.cpp
says locked_twice.cpp "thread 1 holds 'm', locked at locked_twice.cpp:7 [" "], and main holds no mutex."
sed -e 's/^#include <mutex>/&\n#include <shared_mutex>/' -e 's/^std::mutex m;/std::mutex m; std::shared_mutex other_m;/' -e 's/^  ++count;/  { std::shared_lock hold(other_m); ++count; }/' one_locks.cpp >shared_lock.cpp
says shared_lock.cpp "'other_m', locked at shared_lock.cpp:11 [" "]: these are two mutexes." "!holds no mutex"
sed -e 's/std::lock_guard hold(m);/m.lock(), m.unlock();/' one_locks.cpp >unlocked.cpp
says unlocked.cpp "Nothing orders the two accesses" "!holds"
# The order to change is that of failure; one of two stores in a line is told by its row.
cat >one_line.cpp <<'END'
#include <atomic>
#include <cassert>
#include <thread>
int data;
std::atomic<int> x;
int main() {
  std::thread sender([] { data = 1; x.store(1, std::memory_order_release); x.store(2, SECOND); });
  std::thread receiver([] {
    int seen = 0;
    x.compare_exchange_strong(seen, 0, std::memory_order_acquire, FAILURE);
    if (seen == 2) assert(data == 1);
  });
  sender.join();
  receiver.join();
}
END
sed -e s/SECOND/std::memory_order_release/ -e s/FAILURE/std::memory_order_relaxed/ one_line.cpp >failure.cpp
says failure.cpp "With memory_order_acquire for the failed compare-exchange at failure.cpp:10 the two accesses are ordered."
sed -e s/SECOND/std::memory_order_relaxed/ -e s/FAILURE/std::memory_order_acquire/ one_line.cpp >second.cpp
says second.cpp "from the store of thread 1 at second.cpp:7 [d]" "With memory_order_release for the store at second.cpp:7 [d] the two accesses are ordered."
cat >iriw.cpp <<'END'
#include <atomic>
#include <cassert>
#include <thread>
std::atomic<int> x, y;
int a, b, c, d;
int main() {
  std::thread t([] { x.store(1, std::memory_order_release); });
  std::thread u([] { y.store(1, std::memory_order_release); });
  std::thread v([] { a = x.load(std::memory_order_acquire); b = y.load(std::memory_order_acquire); });
  c = y.load(std::memory_order_acquire); d = x.load(std::memory_order_acquire);
  t.join(), u.join(), v.join();
  assert(a == 0 || b == 1 || c == 0 || d == 1);
}
END
says iriw.cpp "between the load of 'x' at iriw.cpp:9 and the load of 'y' at iriw.cpp:9" "between the load of 'y' at iriw.cpp:10 and the load of 'x' at iriw.cpp:10"

# --- a lock that its thread never unlocks ---------------------------------------------------------------------------------------
cat >never_unlocked.cpp <<'END'
#include <mutex>
#include <thread>
std::mutex m;
int main() {
  std::thread a([] { m.lock(); });
  a.join();
  m.lock();
}
END
says never_unlocked.cpp "thread 1 holds 'm' since it locked it at never_unlocked.cpp:5" "and has ended without unlocking it."
((count >= 15)) || fail "only $count reports"

# --- the smallest: the first execution goes the long way, another the short one -------------------------------------------------
cat >ways.cpp <<'END'
#include <ordeal/ordeal.h>
#include <atomic>
#include <cassert>
#include <thread>
std::atomic<int> steps, flag;
int main() {
  std::thread other([] { flag.store(1); });
  if (ordeal_choose(2) == 0)
    for (int i = 0; i < 10; ++i) steps.fetch_add(1);
  assert(flag.load() == 0);
  other.join();
}
END
events_of() { python3 -c 'import json; r = json.load(open("stdout")); print(len(r["bugs"][0]["events"]), r["executions"], r["bugs"][0]["count"])'; }
run "$ordeal" check --json --first-bug ways.cpp && exits 1
read -r long first_executions _ <<<"$(events_of)"
run "$ordeal" check --json ways.cpp && exits 1
read -r short executions times <<<"$(events_of)"
((long >= 24 && short <= 5)) || fail "the first has $long events, the smallest $short"
((executions == first_executions && times == 1)) || fail "counted $executions executions, $times with the bug; at the first bug there were $first_executions"
run "$ordeal" replay "$(python3 -c 'import json; print(json.load(open("stdout"))["bugs"][0]["replay"])')" && exits 1
echo "$count reports"
