#!/usr/bin/env bash
# `ordeal test`: how often the bugs show that C11Tester's authors put into two locks (28.8 % and 55.3 % of its executions), and those of
# their table 2; and no alarm with the papers' correct programs. The seed is fixed, so the numbers are, too.
set -euo pipefail
. "$ORDEAL_SOURCE_DIR/tests/support/native.bash"
[[ $tree != "$work/tree" ]] || exit 0 # no runtime here
programs=$ORDEAL_SOURCE_DIR/benchmarks/programs
broken=$ORDEAL_SOURCE_DIR/benchmarks/testing

failed() { python3 -c 'import json; print(json.load(open("stdout"))["failed"])'; }

# At least the published rate, less half of its interval of 95 % at 500 executions.
at_least() { # PROGRAM LEAST
  for strategy in random portfolio; do
    run "$ordeal" test --json --executions 500 --strategy $strategy "$1.cpp" && exits 1
    (($(failed) >= $2)) || fail "$1, $strategy: $(failed) of 500 executions"
  done
}
at_least "$programs/seqlock-bug" 124
at_least "$programs/rwlock-bug" 255
at_least "$broken/barrier-bug" 365       # 76.6 %
at_least "$broken/dekker-fences-bug" 90  # 21.6 %
at_least "$broken/linuxrwlocks-bug" 416  # 86.2 %
at_least "$broken/mcs-lock-bug" 434      # 89.4 %
at_least "$broken/mpmc-queue-bug" 276    # 59.4 %
at_least "$broken/ms-queue-bug" 500      # 100 %

for program in barrier chase-lev dekker-fences linuxrwlocks mcs-lock mpmc-queue ms-queue seqlock; do
  run "$ordeal" test --quiet --executions 2000 "$programs/$program.cpp" && exits 0
done
