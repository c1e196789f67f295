#!/usr/bin/env bash
# Observers of users: the example is built as its comment says; they see every class once, with happens-before; what is wrong is told.
set -euo pipefail
. "$ORDEAL_SOURCE_DIR/tests/support/native.bash"
[[ $tree != "$work/tree" ]] || exit 0 # no runtime here

cc -O2 -Wall -Wextra -Werror -shared -fPIC -I"$ORDEAL_SOURCE_DIR/include" "$ORDEAL_SOURCE_DIR/examples/observer/steps.c" -o steps.so
run "$ordeal" check --observer ./steps.so "$ORDEAL_SOURCE_DIR/examples/check/stack_fixed.cpp"
has stdout "observer 'steps': at most "
cat >three.cpp <<'END'
#include <atomic>
#include <thread>
std::atomic<int> x;
int main() {
  std::thread one([] { x.fetch_add(1), x.store(2), (void)x.load(); });
  one.join();
}
END
run "$ordeal" check --observer ./steps.so three.cpp && exits 0 && has stdout 'at most 3 steps, by thread 1'

# Store buffering with relaxed accesses has four classes, one with 0 and 0; a message by release and acquire is ordered.
cat >sb.cpp <<'END'
#include <atomic>
#include <thread>
std::atomic<int> x, y;
int main() {
  std::thread one([] { x.store(1, std::memory_order_relaxed); (void)y.load(std::memory_order_relaxed); });
  std::thread two([] { y.store(1, std::memory_order_relaxed); (void)x.load(std::memory_order_relaxed); });
  one.join(), two.join();
}
END
cat >mp.cpp <<'END'
#include <atomic>
#include <thread>
std::atomic<int> data, flag;
int main() {
  std::thread one([] { data.store(1, std::memory_order_relaxed); flag.store(1, std::memory_order_release); });
  if (flag.load(std::memory_order_acquire) == 1) (void)data.load(std::memory_order_relaxed);
  one.join();
}
END
plugin() { # NAME VERSION <body of finished
  { cat <<END
#include <ordeal/observer.h>
#include <cstdio>
#include <map>
static std::map<long, int> seen;  // memory is the plug-in's own, and stays
static void begin() { seen.clear(); }
static int sum(const ordeal_execution* e) { int s = 0; for (int i = 0; i < e->events; ++i) if (e->event[i].kind == ORDEAL_EVENT_READ) s += int(e->event[i].value); return s; }
static ordeal_opinion finished(const ordeal_execution* execution, char* message, size_t size) {
  (void)message, (void)size;
  ++seen[sum(execution)];
END
    cat
    cat <<END
}
static void end(char* note, size_t size) {
  int used = snprintf(note, size, "sums");
  for (auto& [sum, count] : seen) used += snprintf(note + used, size - used, " %ld:%d", sum, count);
}
const ordeal_observer ordeal_observer_plugin = {$2, "$1", begin, finished, end};
END
  } >"$1.cpp"
  c++ -std=c++20 -shared -fPIC -I"$ORDEAL_SOURCE_DIR/include" "$1.cpp" -o "$1.so"
}
plugin sums ORDEAL_OBSERVER_VERSION <<<'  return ORDEAL_FINE;'
run "$ordeal" check --observer sums.so sb.cpp && exits 0 && has stdout "observer 'sums': sums 0:1 1:2 2:1"
plugin zeros ORDEAL_OBSERVER_VERSION <<'END'
  if (sum(execution) > 0) return ORDEAL_FINE;
  snprintf(message, size, "both read 0");
  return ORDEAL_BUG;
END
run "$ordeal" check --observer ./zeros.so sb.cpp && exits 1 && has stdout "found by the observer 'zeros': both read 0" && has stdout 'x: 0 rlx, from init'
run "$ordeal" replay ordeal-sb-observer.replay && exits 1 && has stdout 'both read 0'
run "$ordeal" check --json --observer ./zeros.so sb.cpp && exits 1 && has stdout '"kind":"observer"'
run "$ordeal" check --model sc --observer ./zeros.so sb.cpp && exits 0
plugin ordered ORDEAL_OBSERVER_VERSION <<'END'
  int write = -1, read = -1;
  for (int i = 0; i < execution->events; ++i) {
    const ordeal_event& event = execution->event[i];
    if (event.kind == ORDEAL_EVENT_WRITE && event.order == ORDEAL_ORDER_RELAXED) write = i;
    if (event.kind == ORDEAL_EVENT_READ && event.order == ORDEAL_ORDER_RELAXED) read = i;
  }
  if (read < 0) return ORDEAL_FINE;
  const bool is_ordered = execution->happens_before(execution, write, read) && !execution->happens_before(execution, read, write);
  const bool is_read = execution->event[read].reads_from == write && execution->location[execution->event[read].location].size == 4;
  return is_ordered && is_read ? ORDEAL_FINE : ORDEAL_BUG;
END
run "$ordeal" check --observer ./ordered.so mp.cpp && exits 0
run "$ordeal" check --observer ./ordered.so sb.cpp && exits 1
plugin enough ORDEAL_OBSERVER_VERSION <<<'  return execution->number == 2 ? ORDEAL_ENOUGH : ORDEAL_FINE;'
run "$ordeal" check --observer ./enough.so sb.cpp && exits 3 && has stdout "the observer 'enough', which had seen enough"

# --- what is wrong -------------------------------------------------------------------------------------------------------------
plugin newer 7 <<<'  return ORDEAL_FINE;'
run "$ordeal" check --observer ./newer.so sb.cpp && exits 4 && has stdout 'it is made for version 7 of <ordeal/observer.h>, and this is version 1'
echo 'int nothing;' >empty.c && cc -shared -fPIC empty.c -o empty.so
run "$ordeal" check --observer ./empty.so sb.cpp && exits 4 && has stdout "it has no symbol 'ordeal_observer_plugin'"
run "$ordeal" check --observer ./none.so sb.cpp && exits 2 && has stderr "there is no file './none.so'"
