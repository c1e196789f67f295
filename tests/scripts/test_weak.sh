#!/usr/bin/env bash
# The weak outcomes of SB, MP, IRIW, 2+2W, WRC, S and R, in compiled programs, within 1,000 executions with default options; those that
# the standard forbids never.
set -euo pipefail
. "$ORDEAL_SOURCE_DIR/tests/support/native.bash"
[[ $tree != "$work/tree" ]] || exit 0 # no runtime here

program() { # NAME THREADS CONDITION: relaxed with -DWEAK, otherwise as -DST and -DLD say
  cat >"$1.cpp" <<END
#include <atomic>
#include <ordeal/ordeal.h>
#include <thread>
#ifndef ST
#define ST std::memory_order_relaxed
#define LD std::memory_order_relaxed
#endif
std::atomic<int> x, y, a, b, c, d;
int r1, r2, r3, r4;
int main() {
  {
    std::jthread threads[] = {$2};
  }
  ordeal_check(!($3), "the weak outcome");
}
END
}
thread() { echo "std::jthread([] { $1 }),"; }

program sb "$(thread 'x.store(1, ST); r1 = y.load(LD);') $(thread 'y.store(1, ST); r2 = x.load(LD);')" 'r1 == 0 && r2 == 0'
program mp "$(thread 'x.store(1, ST); y.store(1, ST);') $(thread 'r1 = y.load(LD); r2 = x.load(LD);')" 'r1 == 1 && r2 == 0'
program iriw "$(thread 'x.store(1, ST);') $(thread 'y.store(1, ST);') $(thread 'r1 = x.load(LD); r2 = y.load(LD);') $(thread 'r3 = y.load(LD); r4 = x.load(LD);')" \
  'r1 == 1 && r2 == 0 && r3 == 1 && r4 == 0'
program 2+2w "$(thread 'x.store(1, ST); y.store(2, ST);') $(thread 'y.store(1, ST); x.store(2, ST);')" 'x.load() == 1 && y.load() == 1'
program wrc "$(thread 'x.store(1, ST);') $(thread 'r1 = x.load(LD); y.store(1, ST);') $(thread 'r2 = y.load(LD); r3 = x.load(LD);')" 'r1 == 1 && r2 == 1 && r3 == 0'
program s "$(thread 'x.store(2, ST); y.store(1, ST);') $(thread 'r1 = y.load(LD); x.store(1, ST);')" 'r1 == 1 && x.load() == 2'
program r "$(thread 'x.store(1, ST); y.store(1, ST);') $(thread 'y.store(2, ST); r1 = x.load(LD);')" 'y.load() == 2 && r1 == 0'

for name in sb mp iriw 2+2w wrc s r; do
  run "$ordeal" test "$name.cpp" && exits 1 && has stdout 'the weak outcome'
  run "$ordeal" test --quiet --executions 20000 "$name.cpp" -- -DST=std::memory_order_seq_cst -DLD=std::memory_order_seq_cst && exits 0
done
for name in mp wrc s; do
  run "$ordeal" test --quiet --executions 20000 "$name.cpp" -- -DST=std::memory_order_release -DLD=std::memory_order_acquire && exits 0
done
for name in sb iriw 2+2w r; do
  run "$ordeal" test "$name.cpp" -- -DST=std::memory_order_release -DLD=std::memory_order_acquire && exits 1
done
