#!/usr/bin/env bash
# Ctrl-C ends a search early: what was found so far is reported, with exit code 3.
set -euo pipefail
. "$ORDEAL_SOURCE_DIR/tests/support/litmus.bash"

long_test long.litmus long
message_passing mp.litmus 'exists (1:r0=1)'

# interrupted ARGUMENTS…: like run, with one interrupt once the search is under way
interrupted() {
  arguments=$*
  status=0
  "$ORDEAL" litmus "$@" >stdout 2>stderr &
  local pid=$! caught=0 tries=0
  until ((caught & 2)); do # signal 2 has a handler; until then it is ignored, as in every job in the background
    ((++tries < 600)) || fail "no handler for the interrupt"
    sleep 0.1
    caught=0x$(sed -n 's/^SigCgt:[[:space:]]*//p' "/proc/$pid/status" 2>/dev/null | tail -c 5)
  done
  sleep 0.5
  kill -INT "$pid" 2>/dev/null || fail "it ended by itself"
  for ((tries = 0; tries < 600; ++tries)); do
    kill -0 "$pid" 2>/dev/null || break
    sleep 0.1
  done
  kill -KILL "$pid" 2>/dev/null && fail "it does not end"
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
