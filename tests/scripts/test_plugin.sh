#!/usr/bin/env bash
# Strategies of users: the example is built as its comment says and finds a bug; what is wrong with others is told.
set -euo pipefail
. "$ORDEAL_SOURCE_DIR/tests/support/native.bash"
[[ $tree != "$work/tree" ]] || exit 0 # no runtime here
bug=$ORDEAL_SOURCE_DIR/examples/check/message_bug.cpp
fixed=$ORDEAL_SOURCE_DIR/examples/check/message_fixed.cpp

cc -O2 -Wall -Wextra -Werror -shared -fPIC -I"$ORDEAL_SOURCE_DIR/include" "$ORDEAL_SOURCE_DIR/examples/strategy/round_robin.c" -o round_robin.so
run "$ordeal" test --strategy ./round_robin.so "$bug" && exits 1
has stdout "data race on 'message'" && has stdout "strategy $work/round_robin.so,"
cp stdout before
run "$ordeal" test --strategy round_robin.so "$bug" && exits 1
[[ $(sed 's/ in [0-9.]* .*//' before) == "$(sed 's/ in [0-9.]* .*//' stdout)" ]] || fail "the same seed, another result"
run "$ordeal" replay ordeal-message_bug-data-race.replay && exits 1 && has stdout "data race on 'message'"
run "$ordeal" test --strategy ./round_robin.so "$fixed" && exits 0
complains_not_of_code() { has_not stdout 'was not compiled'; }
complains_not_of_code
run "$ordeal" test --strategy ./round_robin.so --executions 300 "$ORDEAL_SOURCE_DIR/examples/check/deadlock_bug.cpp" && exits 1 && has stdout deadlock

# A strategy decides: one that never leaves the newest store, and never the running thread, sees no store buffering.
plugin() { # NAME NEXT_THREAD STORE
  cat >"$1.cpp" <<END
#include <ordeal/strategy.h>
#include <vector>
static std::vector<int> drawn;  // memory is the plug-in's own
static void begin(uint64_t, uint64_t) { drawn.assign(100, 1); }
static int next_thread(const int* ready, int count, int current, ordeal_step) { (void)ready, (void)count, (void)current; return $2; }
static uint32_t which(int, uint32_t count) { (void)count; return $3; }
static uint32_t answer(ordeal_question, uint32_t) { return 0; }
const ordeal_strategy ordeal_plugin = {${4:-ORDEAL_STRATEGY_VERSION}, "$1", begin, nullptr, next_thread, which, which, answer};
END
  c++ -shared -fPIC -I"$ORDEAL_SOURCE_DIR/include" "$1.cpp" -o "$1.so"
}
cat >sb.cpp <<'END'
#include <atomic>
#include <cassert>
#include <thread>
std::atomic<int> x, y;
int main() {
  int a = 0, b = 0;
  std::thread one([&] { x.store(1, std::memory_order_relaxed); a = y.load(std::memory_order_relaxed); });
  std::thread two([&] { y.store(1, std::memory_order_relaxed); b = x.load(std::memory_order_relaxed); });
  one.join(), two.join();
  assert(a == 1 || b == 1);
}
END
plugin serial 'current >= 0 ? current : 0' ORDEAL_NEWEST
run "$ordeal" test --strategy ./serial.so sb.cpp && exits 0
plugin oldest 'current >= 0 ? current : 0' 0
run "$ordeal" test --strategy ./oldest.so sb.cpp && exits 1 && has stdout 'In 1,000 of 1,000 executions (100.0 %)'

# --- what is wrong -------------------------------------------------------------------------------------------------------------
plugin thread 'count' ORDEAL_NEWEST
run "$ordeal" test --strategy ./thread.so sb.cpp && exits 4 && has stdout "the strategy 'thread' must not go on: next_thread answered 2 where there were 2 alternatives"
plugin store 0 'count + 5'
run "$ordeal" test --strategy ./store.so sb.cpp && exits 4 && has stdout "the strategy 'store' must not go on: which_"
plugin newer 0 0 7
run "$ordeal" test --strategy ./newer.so sb.cpp && exits 4 && has stdout 'it is made for version 7 of <ordeal/strategy.h>, and this is version 1'
echo 'int nothing;' >empty.c && cc -shared -fPIC empty.c -o empty.so
run "$ordeal" test --strategy ./empty.so sb.cpp && exits 4 && has stdout "it has no symbol 'ordeal_plugin'"
echo text >text.so
run "$ordeal" test --strategy ./text.so sb.cpp && exits 4 && has stdout "the strategy '$work/text.so' cannot be used"
run "$ordeal" test --strategy ./none.so sb.cpp && exits 2 && has stderr "there is no file './none.so'"
