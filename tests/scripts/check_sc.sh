#!/usr/bin/env bash
# --sc-analysis and --require-sc: which executions no interleaving of the threads explains.
set -euo pipefail
. "$ORDEAL_SOURCE_DIR/tests/support/native.bash"

# --- litmus: store buffering has four classes, one of them weak (both read 0) -----------------------------------------------
cat >sb.litmus <<'END'
C SB
{ x = 0; y = 0; }
P0 (atomic_int* x, atomic_int* y) {
  atomic_store_explicit(x, 1, memory_order_relaxed);
  int r0 = atomic_load_explicit(y, memory_order_relaxed);
}
P1 (atomic_int* x, atomic_int* y) {
  atomic_store_explicit(y, 1, memory_order_relaxed);
  int r0 = atomic_load_explicit(x, memory_order_relaxed);
}
exists (0:r0=0 /\ 1:r0=0)
END
run "$ordeal" litmus sb.litmus --sc-analysis && exits 0
has stdout 'SC analysis: 3 executions are interleavings of the threads, 1 is not'
has stdout 'Each of these must come before the next: '
has stdout '(overwrites what '
run "$ordeal" litmus sb.litmus --require-sc && exits 1
run "$ordeal" litmus sb.litmus --require-sc --model sc && exits 0
has stdout 'SC analysis: 3 executions are interleavings of the threads, 0 are not'
run "$ordeal" litmus sb.litmus --sc-analysis --json && exits 0
has stdout '"sc_executions":3,"non_sc_executions":1'
run "$ordeal" litmus sb.litmus && exits 0
has_not stdout 'SC analysis'

if [[ $tree == "$work/tree" ]]; then
  echo "the rest is skipped: there is no runtime beside the command"
  exit 0
fi

# --- the same as a program ---------------------------------------------------------------------------------------------------
cat >sb.cpp <<'END'
#include <atomic>
#include <thread>
std::atomic<int> x{0}, y{0};
int a, b;
int main() {
  std::thread t([] {
    x.store(1, std::memory_order_relaxed);
    a = y.load(std::memory_order_relaxed);
  });
  y.store(1, std::memory_order_relaxed);
  b = x.load(std::memory_order_relaxed);
  t.join();
}
END
run "$ordeal" check sb.cpp --sc-analysis && exits 0
has stdout 'verified: all 4 execution classes'
has stdout 'SC analysis: 3 executions are interleavings of the threads, 1 is not'
has stdout 'The first execution that no interleaving of the threads explains'
run "$ordeal" check sb.cpp --sc-analysis --json && exits 0
has stdout '"sc_executions":3,"non_sc_executions":1'
run "$ordeal" check sb.cpp --require-sc --output sb.replay && exits 1
has stdout 'not sequentially consistent: no interleaving of the threads does this'
has stdout 'Each of these must come before the next: '
run "$ordeal" replay sb.replay && exits 1
has stdout 'not sequentially consistent: no interleaving of the threads does this'
run "$ordeal" report sb.replay && exits 0 && has stdout 'not sequentially consistent'
run "$ordeal" report sb.replay --require-sc && exits 1
run "$ordeal" replay sb.replay --require-sc && exits 1
run "$ordeal" check sb.cpp --sc-analysis --json --html weak.html --dot weak.dot && exits 0
has stdout '"first_not_sc":{"why":"Each of these must come before the next: '
has weak.html 'The first execution that no interleaving of the threads explains' && has weak.dot 'the first execution that no interleaving of the threads explains'
run "$ordeal" check sb.cpp --require-sc --model sc && exits 0
sed -i 's/relaxed/seq_cst/' sb.cpp
run "$ordeal" check sb.cpp --require-sc && exits 0
has stdout 'SC analysis: 3 executions are interleavings of the threads, 0 are not'

# --- executions with a bug: test, replay and report say which they are ---------------------------------------------------------
cat >dekker.cpp <<'END'
#include <atomic>
#include <cassert>
#include <thread>
std::atomic<int> x{0}, y{0};
int a, b;
int main() {
  std::thread t([] {
    x.store(1, std::memory_order_relaxed);
    a = y.load(std::memory_order_relaxed);
  });
  y.store(1, std::memory_order_relaxed);
  b = x.load(std::memory_order_relaxed);
  t.join();
  assert(a + b > 0);
}
END
for verb in test check; do
  rm -f dekker.replay
  run "$ordeal" $verb dekker.cpp --output dekker.replay && exits 1
  has_not stdout 'SC analysis'
  run "$ordeal" replay dekker.replay --sc-analysis && exits 1
  has stdout 'This execution is no interleaving of the threads. Each of these must come before'
  has stdout 'SC analysis: of what is reported 0 executions are interleavings of the threads, 1 is not'
  run "$ordeal" report dekker.replay --sc-analysis && exits 0
  has stdout 'This execution is no interleaving of the threads.'
done
# test counts every execution without a bug, as check does (test_watching.sh), and says of each bug what it is. Without the bug there is no
# weak execution of this program.
run "$ordeal" test dekker.cpp --sc-analysis && exits 1
has stdout 'This execution is no interleaving of the threads. Each of these must come before'
has stdout 'executions are interleavings of the threads, 0 are not'
run "$ordeal" test "$ORDEAL_SOURCE_DIR/examples/check/lost_update_bug.cpp" --sc-analysis --output lost.replay && exits 1
has stdout 'This execution is an interleaving of the threads: the rows are one.'
run "$ordeal" report lost.replay --sc-analysis && exits 0
has stdout 'SC analysis: of what is reported 1 execution is an interleaving of the threads, 0 are not'
run "$ordeal" report lost.replay --require-sc && exits 0

# Where it takes more than a step to see that a store comes before the one that overwrites it, the cycle says how: 6 comes before y = 7, which
# is read before 2 is stored, and yet the last load returns 6.
cat >way.cpp <<'END'
#include <atomic>
#include <thread>
std::atomic<int> x{0}, y{0};
int main() {
  std::thread other([] {
    x.store(5, std::memory_order_release);
    x.store(6, std::memory_order_seq_cst);
    y.store(7, std::memory_order_relaxed);
  });
  (void)y.load(std::memory_order_relaxed);
  x.store(2, std::memory_order_seq_cst);
  (void)x.load(std::memory_order_acquire);
  other.join();
}
END
run "$ordeal" check way.cpp --sc-analysis && exits 0
[[ $(tr -s '\n ' ' ' <stdout) =~ "must come before the next: "([a-z])", "[a-z]" (program order), "([a-z])" (overwrites "([a-z])", which "[a-z]" read; "([a-z])" comes before "([a-z])": "[a-z]" (program order), "[a-z]" (reads "[a-z]"), "[a-z]" (program order))." ]] || fail "the cycle: $(<stdout)"
[[ ${BASH_REMATCH[1]} == "${BASH_REMATCH[2]}" && ${BASH_REMATCH[1]} == "${BASH_REMATCH[5]}" && ${BASH_REMATCH[3]} == "${BASH_REMATCH[4]}" ]] || fail "other letters: $(<stdout)"
