#!/usr/bin/env bash
# Random testing with --sc-analysis, --require-sc and --observer: every execution is looked at, in place and in processes of their own.
set -euo pipefail
. "$ORDEAL_SOURCE_DIR/tests/support/native.bash"
[[ $tree != "$work/tree" ]] || exit 0 # no runtime here

# Store buffering is no interleaving exactly if both read 0. An observer counts that by itself.
# With -DEARLY it is one of several phases, between threads that only store.
cat >sb.cpp <<'END'
#include <atomic>
#include <thread>
std::atomic<int> x{0}, y{0}, z{0};
void buffer() {
  std::thread t([] {
    x.store(1, std::memory_order_relaxed);
    (void)y.load(std::memory_order_relaxed);
  });
  y.store(1, std::memory_order_relaxed);
  (void)x.load(std::memory_order_relaxed);
  t.join();
}
#ifdef EARLY
void store() {
  std::thread t([] { z.store(1, std::memory_order_relaxed); z.store(2, std::memory_order_relaxed); });
  t.join();
}
int main() {
  for (int i = 0; i < EARLY; ++i) store();
  buffer();
  store();
}
#else
int main() { buffer(); }
#endif
END
plugin() { # NAME <body of finished
  { cat <<END
#include <ordeal/observer.h>
#include <stdio.h>
#include <stdlib.h>
static int *zeros, *seen; /* memory is the plug-in's own, and stays */
static void begin(void) { zeros = calloc(1, sizeof *zeros), seen = calloc(1, sizeof *seen); }
static enum ordeal_opinion finished(const struct ordeal_execution* e, char* message, size_t size) {
  int sum = 0;
  (void)message, (void)size;
  for (int i = 0; i < e->events; ++i) if (e->event[i].kind == ORDEAL_EVENT_READ) sum += (int)e->event[i].value;
  *zeros += sum == 0, ++*seen;
END
    cat
    cat <<END
}
static void end(char* note, size_t size) { snprintf(note, size, "%d of %d read 0 and 0", *zeros, *seen); }
const struct ordeal_observer ordeal_observer_plugin = {ORDEAL_OBSERVER_VERSION, "$1", begin, finished, end};
END
  } >"$1.c"
  cc -O1 -Wall -Wextra -Werror -shared -fPIC -I"$ORDEAL_SOURCE_DIR/include" "$1.c" -o "$1.so"
}
plugin counts <<<'  return ORDEAL_FINE;'
field() { python3 -c 'import json, sys; value = json.load(open("stdout"))
for name in sys.argv[1:]: value = value[int(name) if name.isdigit() else name]
print(value)' "$@"; }
has_observed() { # COUNT OF
  has stdout "observer 'counts': $1 of $2 read 0 and 0"
}

run "$ordeal" test --json --sc-analysis --observer counts.so --executions 400 sb.cpp && exits 0
weak=$(field non_sc_executions)
((weak > 0 && weak < 400 && $(field sc_executions) + weak == 400)) || fail "$weak of 400 are weak"
has_observed "$weak" 400
[[ $(field first_not_sc why) == 'Each of these must come before the next: '* ]] || fail "the first one is not explained"
[[ $(field first_not_sc events 0 kind) == create ]] || fail "it has no events"
python3 -B "$ORDEAL_SOURCE_DIR/tests/formats/validate.py" json stdout || fail "against its schema"
atomics=$(field atomics)
run "$ordeal" test --json --executions 400 sb.cpp && exits 0
[[ $(field atomics) == "$atomics" ]] || fail "the executions are other ones"
run "$ordeal" test --sc-analysis --executions 400 sb.cpp && exits 0
has stdout 'The first execution that no interleaving of the threads explains'
has stdout "SC analysis: $((400 - weak)) executions are interleavings of the threads, $weak are not"
run "$ordeal" test --isolate --json --sc-analysis --observer ./counts.so --executions 400 sb.cpp && exits 0
[[ $(field non_sc_executions) == "$weak" && $(field sc_executions) == $((400 - weak)) ]] || fail "other counts in processes of their own"
has_observed "$weak" 400

# --require-sc: a bug, counted, and replayed.
for how in --in-place --isolate; do
  run "$ordeal" test $how --json --require-sc --executions 400 --output weak.replay sb.cpp && exits 1
  [[ $(field bugs 0 kind) == not-sc && $(field bugs 0 count) == "$weak" && $(field failed) == "$weak" && $(field bugs 0 sc) == False ]] || fail "not-sc $how"
  run "$ordeal" replay weak.replay && exits 1 && has stdout 'not sequentially consistent: no interleaving of the threads does this' && has stdout 'Each of these must come before the next: '
  rm weak.replay
done
sed 's/relaxed/seq_cst/' sb.cpp >sc.cpp
run "$ordeal" test --require-sc --executions 400 sc.cpp && exits 0 && has stdout 'SC analysis: 400 executions are interleavings of the threads, 0 are not'

# An observer's bugs, by their words; and one that has seen enough.
plugin finds <<'END'
  if (sum != 0) return ORDEAL_FINE;
  snprintf(message, size, "both read 0");
  return ORDEAL_BUG;
END
for how in --in-place --isolate; do
  run "$ordeal" test $how --json --observer ./finds.so --executions 400 --output found.replay sb.cpp && exits 1
  [[ $(field bugs 0 kind) == observer && $(field bugs 0 count) == "$weak" && $(field failed) == "$weak" ]] || fail "observer $how"
  run "$ordeal" replay found.replay && exits 1 && has stdout "found by the observer 'finds': both read 0" && has stdout 'x: 0 rlx, from init'
  rm found.replay
done
plugin stops <<<'  return *seen == 7 ? ORDEAL_ENOUGH : ORDEAL_FINE;'
run "$ordeal" test --observer ./stops.so --executions 400 sb.cpp && exits 3 && has stdout 'no bug in 7 executions' && has stdout "the observer 'stops', which had seen enough"
run "$ordeal" test --observer ./nothing.so sb.cpp && exits 2
echo 'int x;' | cc -x c -shared -fPIC - -o empty.so
run "$ordeal" test --observer ./empty.so sb.cpp && exits 4 && has stdout "it has no symbol 'ordeal_observer_plugin'"

# Happens-before, of threads and of a message.
cat >message.cpp <<'END'
#include <atomic>
#include <thread>
std::atomic<int> data, flag;
int main() {
  std::thread one([] { data.store(1, std::memory_order_relaxed); flag.store(1, std::memory_order_release); });
  if (flag.load(std::memory_order_acquire) == 1) (void)data.load(std::memory_order_relaxed);
  one.join();
}
END
plugin ordered <<'END'
  int write = -1, read = -1, create = -1;
  for (int i = 0; i < e->events; ++i) {
    if (e->event[i].kind == ORDEAL_EVENT_CREATE) create = i;
    if (e->event[i].kind == ORDEAL_EVENT_WRITE && write < 0) write = i;
    if (e->event[i].kind == ORDEAL_EVENT_READ) read = i;
  }
  const int reads_one = e->event[read].value == 1;
  if (!e->happens_before(e, create, write) || e->happens_before(e, read, create)) return ORDEAL_BUG;
  if (e->event[read].location != e->event[write].location) return ORDEAL_FINE;
  return reads_one && e->happens_before(e, write, read) ? ORDEAL_FINE : ORDEAL_BUG;
END
run "$ordeal" test --observer ./ordered.so --executions 400 message.cpp && exits 0 && has stdout "observer 'ordered': "
sed -i 's/memory_order_release/memory_order_relaxed/' message.cpp
run "$ordeal" test --observer ./ordered.so --executions 400 message.cpp && exits 1

# Threads that have the number of one that was joined before are other threads: store buffering before a thread that only stores, and behind.
for early in 0 2; do
  for how in --in-place --isolate; do
    run "$ordeal" test $how --json --sc-analysis --observer ./counts.so --executions 200 sb.cpp -- -O1 -g -DEARLY=$early && exits 0
    weak=$(field non_sc_executions)
    ((weak > 0 && $(field sc_executions) + weak == 200)) || fail "$weak of 200 are weak"
    has_observed "$weak" 200
    [[ $(field first_not_sc events) == *"'thread': 'thread 1 #2'"* ]] || fail "there is no second thread 1"
  done
done
run "$ordeal" test --sc-analysis --executions 200 sb.cpp -- -O1 -g -DEARLY=0 && exits 0 && has stdout 'thread 1 #2'

# What is too long to be kept is no pass.
cat >long.cpp <<'END'
#include <atomic>
#include <thread>
std::atomic<int> x;
void add() { for (int i = 0; i < 100'001; ++i) x.fetch_add(1, std::memory_order_relaxed); }
int main() { std::thread t(add); add(); t.join(); }
END
run "$ordeal" test --executions 2 --require-sc long.cpp && exits 3 && has stdout '--require-sc, which could not decide about 2 executions that had too many operations'
run "$ordeal" test --executions 1 --sc-analysis long.cpp && exits 0 && has stdout 'did not look at 1 execution that had too many operations'
run "$ordeal" test --executions 1 --observer ./counts.so long.cpp && exits 3 && has stdout 'which did not see 1 execution that had too many operations'

# Of a compare-exchange the trace has what it expects, as that of check has.
cat >exchange.cpp <<'END'
#include <atomic>
#include <cassert>
#include <thread>
std::atomic<int> x{0};
int main() {
  std::thread t([] { x.store(5, std::memory_order_relaxed); });
  int expected = 3;
  const bool done = x.compare_exchange_strong(expected, 4, std::memory_order_acq_rel, std::memory_order_acquire);
  assert(done || expected == 0);
  t.join();
}
END
for verb in check test; do
  run "$ordeal" $verb --json --output exchange.replay exchange.cpp && exits 1
  [[ $(field bugs 0 events) == *"'expected': 3"* ]] || fail "$verb: nothing is expected"
  has exchange.replay 'expected=3 otherwise=acq_rel'
  rm exchange.replay
done

# --- what is read when all others have ended -------------------------------------------------------------------------------------
# 2+2W is no interleaving exactly if each thread's first store is the last: nobody else stores, so the program can tell.
cat >last_stores.cpp <<'END'
#include <atomic>
#include <cassert>
#include <thread>
std::atomic<int> x, y;
int main() {
#ifdef EARLIER
  std::thread([] { x.store(5); }).join();
  x.store(0);
#endif
  std::thread t([] { x.store(1, std::memory_order_relaxed), y.store(2, std::memory_order_relaxed); });
  y.store(1, std::memory_order_relaxed), x.store(2, std::memory_order_relaxed);
  t.join();
  const int last_of_x = READ_X, last_of_y = y.load(std::memory_order_relaxed);
#ifdef TELL
  assert(!(last_of_x == 1 && last_of_y == 1));
#else
  return last_of_x + last_of_y == 0;
#endif
}
END
for read in 'x.load(std::memory_order_relaxed)' 'x.exchange(7)' 'x.fetch_add(1,std::memory_order_release)' 'x.load() -DEARLIER'; do
  read -ra flags <<<"-DREAD_X=$read"
  run "$ordeal" test --json last_stores.cpp -- "${flags[@]}" -DTELL && exits 1
  weak=$(field failed)
  ((weak > 100 && weak < 900)) || fail "2+2W: $weak of 1,000 executions are weak"
  run "$ordeal" test --json --sc-analysis last_stores.cpp -- "${flags[@]}" && exits 0
  [[ $(field non_sc_executions) == "$weak" ]] || fail "$read: $(field non_sc_executions) executions are no interleaving, and not $weak"
done
run "$ordeal" test last_stores.cpp -- '-DREAD_X=x.load()' -DTELL && exits 1
has stdout 'No interleaving of the threads does this: it takes weak memory'
grep -E '^ +[a-z]  y: 1 rlx, from [a-z] \(not [a-z]\) ' stdout >/dev/null || fail "the table has not what was read: $(<stdout)"
run "$ordeal" test --require-sc last_stores.cpp -- '-DREAD_X=x.load()' && exits 1
has stdout 'not sequentially consistent: no interleaving of the threads does this'
# What main itself has stored since then is no store of theirs.
sed -i 's/^  const int last_of_x/  x.store(1), y.store(1);\n&/' last_stores.cpp
run "$ordeal" test --json --sc-analysis last_stores.cpp -- '-DREAD_X=x.load()' && exits 0
[[ $(field non_sc_executions) == 0 ]] || fail "stores of main count as others': $(field non_sc_executions)"
