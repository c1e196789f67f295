#!/usr/bin/env bash
# Ctrl-C ends a search early: what was found so far is reported, with exit code 3.
set -euo pipefail
. "$ORDEAL_SOURCE_DIR/tests/support/litmus.bash"

long_test long.litmus long
message_passing mp.litmus 'exists (1:r0=1)'

# interrupted ARGUMENTS…: like run, with an interrupt once the search is under way
interrupted() {
  arguments=$*
  status=0
  "$ORDEAL" litmus "$@" >stdout 2>stderr &
  local pid=$!
  sleep 0.5
  for _ in 1 2 3 4 5 6 7 8 9 10; do # until it has a handler: a job in the background starts with the signal ignored
    kill -INT "$pid" 2>/dev/null || break
    sleep 1
  done
  wait "$pid" || status=$?
}

interrupted long.litmus
exits 3
complains_not
has stdout 'Test long Allowed'
has stdout 'States 1'
has stdout 'Bounded: interrupted'
grep -qE '^Ordeal: [0-9,]+ class(es)? in ' stdout || fail "no count"

interrupted --json long.litmus
exits 3
has stdout '"bounds":["interrupted"]'

# Tests that come later are not run, and it says so.
interrupted mp.litmus long.litmus mp.litmus mp.litmus
exits 3
[[ $(masked stdout | sed -E 's/(long.*) [0-9,]+ TIME/\1 N TIME/; s/, [0-9,]+ classes/, N classes/; s/ +N/ N/') == \
  'Test                            states       classes       time
MP    Allowed    Ok  Sometimes       2             4 TIME
long  Allowed    Ok  Always          1 N TIME  bounded
2 tests: 2 Ok, 0 No, 1 bounded; 3 states, N classes in TIME, model cpp20' ]] || fail "unexpected table"
complains <<'END'
ordeal: interrupted; not run: 2 tests
END

# An unexpected outcome stays one.
message_passing refuted.litmus '~exists (1:r0=1)'
interrupted --expect refuted.litmus long.litmus
exits 1
