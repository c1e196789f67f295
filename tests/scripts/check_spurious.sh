#!/usr/bin/env bash
# Executions with spurious failures come last, in a second pass: what is counted, shown and observed is as in one; a search that is cut says what it knows.
set -euo pipefail
. "$ORDEAL_SOURCE_DIR/tests/support/native.bash"
[[ $tree != "$work/tree" ]] || exit 0 # no runtime here

# Both succeed or fail: 2 classes without a spurious failure, 3 with one or two (tests/native/compare_exchange_weak_ok.cpp).
cat >two.cpp <<'END'
#include <atomic>
#include <cassert>
#include <thread>
std::atomic<int> x;
bool first, second;
int main() {
  std::thread a([] { int expected = 0; first = x.compare_exchange_weak(expected, 1); });
  std::thread b([] { int expected = 0; second = x.compare_exchange_weak(expected, 2); });
  a.join(), b.join();
#ifdef BUG
  assert(first || BUG);
#endif
}
END

run "$ordeal" check --json two.cpp && exits 0 && has stdout '"executions":5,"blocked":0' && has_not stdout '"spurious"'
run "$ordeal" check --json --sc-analysis two.cpp && exits 0 && has stdout '"sc_executions":5,"non_sc_executions":0'
run "$ordeal" check --show two.cpp && exits 0
[[ $(grep -c '^execution ' stdout) == 5 ]] || fail "each class is shown once"
for model in rc11 sc tso; do run "$ordeal" check --json --model $model two.cpp && exits 0 && has stdout '"executions":5,"blocked":0'; done
run "$ordeal" check --json --load-buffering two.cpp && exits 0 && has stdout '"executions":5,"blocked":0'
run "$ordeal" check --json --no-spurious two.cpp && exits 0 && has stdout '"executions":2,"blocked":0'

# Load buffering has 4 classes, one of them a cycle, for either result of the third thread: it comes once, in the last pass.
cat >buffering.cpp <<'END'
#include <atomic>
#include <thread>
constexpr auto relaxed = std::memory_order_relaxed;
std::atomic<int> x, y, z;
int main() {
  std::thread a([] { (void)x.load(relaxed), y.store(1, relaxed); });
  std::thread b([] { (void)y.load(relaxed), x.store(1, relaxed); });
  std::thread c([] { int expected = 0; (void)z.compare_exchange_weak(expected, 1); });
  a.join(), b.join(), c.join();
}
END
run "$ordeal" check --json buffering.cpp && exits 0 && has stdout '"executions":6,"blocked":0'
run "$ordeal" check --json --load-buffering buffering.cpp && exits 0 && has stdout '"executions":8,"blocked":0'

# In the second pass: which executions were seen, and what is known of the others.
run "$ordeal" check --json --executions 3 two.cpp && exits 3 && has stdout '"executions":3,"blocked":0'
has stdout '"spurious":{"executions":1,"blocked":0,"after_all_others":true}'
run "$ordeal" check --json --sc-analysis --executions 4 two.cpp && exits 3 && has stdout '"sc_executions":4,"non_sc_executions":0'
run "$ordeal" check --show --executions 4 two.cpp && exits 3
[[ $(grep -c '^execution ' stdout) == 4 ]] || fail "each class is shown once"
# In the first.
run "$ordeal" check --json --executions 1 two.cpp && exits 3 && has stdout '"executions":1,"blocked":0'
has stdout '"spurious":{"executions":0,"blocked":0,"after_all_others":false}'
run "$ordeal" check --executions 1 two.cpp && has stdout 'explored: 1 execution class without spurious failures, which come first, and 0 with such failures (0 blocked)'

# Bugs: of the 5 classes, 3 have a failure of the first thread, 1 of them without a spurious one; 1 has no success at all.
run "$ordeal" check --keep-going --json two.cpp -- -DBUG=0 && exits 1 && has stdout '"count":3' && has stdout '"executions":2,"blocked":3'
run "$ordeal" check --output one.replay two.cpp -- -DBUG=0 && exits 1 && has_not stdout 'spurious'
run "$ordeal" replay one.replay && exits 1 && has stdout 'assertion failed'
run "$ordeal" check --output one.replay two.cpp -- -DBUG=second && exits 1 && has stdout 'failed spuriously'
run "$ordeal" replay one.replay && exits 1 && has stdout 'assertion failed'

# An observer sees each class once, those without a spurious failure first.
cat >watch.c <<'END'
#include <ordeal/observer.h>
#include <stdio.h>
static int begins, executions, late;
static void begin(void) { ++begins, executions = late = 0; }
static enum ordeal_opinion finished(const struct ordeal_execution* execution, char* message, size_t size) {
  int successes = 0;
  (void)message, (void)size;
  for (int i = 0; i < execution->events; ++i) successes += execution->event[i].kind == ORDEAL_EVENT_WRITE;
  late += ++executions > 2 && successes == 0;
  return ORDEAL_FINE;
}
static void end(char* note, size_t size) { snprintf(note, size, "%d begins, %d executions, %d late", begins, executions, late); }
const struct ordeal_observer ordeal_observer_plugin = {ORDEAL_OBSERVER_VERSION, "watch", begin, finished, end};
END
cc -Wall -Wextra -Werror -shared -fPIC -I"$ORDEAL_SOURCE_DIR/include" watch.c -o watch.so
run "$ordeal" check --observer ./watch.so two.cpp && exits 0 && has stdout '1 begins, 5 executions, 1 late'
run "$ordeal" check --observer ./watch.so --executions 4 two.cpp && exits 3 && has stdout '1 begins, 4 executions'

# Executions of a round that is given up do not count, nor are they shown: a ticket lock of four threads, of which the second keeps the lock if 1 and 4 come first. The
# other two then have two orders, and so they have if 3 and 4 come first. (The first no-progress is seen when values to wait for were learnt; to show it, the search begins anew.)
cat >ticket.cpp <<'END'
#include <atomic>
#include <cassert>
#include <thread>
constexpr auto relaxed = std::memory_order_relaxed, acquire = std::memory_order_acquire, release = std::memory_order_release;
std::atomic<int> ticket, serving;
int order;
void work(int id) {
  const int mine = ticket.fetch_add(1, relaxed);
  while (serving.load(acquire) != mine) {
  }
  order = order * 10 + id;
  if (order == KEPT) return;
  serving.store(mine + 1, release);
}
int main() {
  std::thread one(work, 1), two(work, 2), three(work, 3), four(work, 4);
  one.join(), two.join(), three.join(), four.join();
  assert(order / 100 != WRONG);
}
END
run "$ordeal" check --keep-going --json ticket.cpp -- -DKEPT=14 -DWRONG=34 && exits 1 && has stdout '"kind":"no-progress"'
[[ $(grep -o '"count":[0-9]*' stdout | sort | uniq -c | tr -s ' ') == ' 2 "count":2' ]] || fail "each of the two bugs is in two executions"
run "$ordeal" check --show ticket.cpp -- -DKEPT=0 -DWRONG=0 && exits 0 && has stdout 'all 24 execution classes'
[[ $(grep -c '^execution ' stdout) == 24 ]] || fail "each class is shown once"
