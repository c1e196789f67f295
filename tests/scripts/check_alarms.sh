#!/usr/bin/env bash
# The clock of --time looks at what goes on by a signal. When it comes makes no difference to what is explored: not even when it interrupts code that is only tried out.
set -euo pipefail
. "$ORDEAL_SOURCE_DIR/tests/support/native.bash"
arguments='check --time'
"$ordeal" cc -O2 -g -pthread -DT=4 "$ORDEAL_SOURCE_DIR/benchmarks/loops/hashmap.c" -o hashmap

counts() { sed -n 's/.*"executions":\([0-9]*\),.*"blocked":\([0-9]*\),.*/\1 \2/p' stdout; }
takes_alarms() { ((0x0$(sed -n 's/^SigCgt:[[:space:]]*//p' "/proc/$1/status" 2>/dev/null | tail -c 5) & 0x2000)); }

run "$ordeal" check --json --no-spurious --watchdog 0 ./hashmap
exits 0
expected=$(counts)
[[ $expected =~ ^[0-9]+' '[0-9]+$ ]] || fail "no counts"

for ((i = 0; i < 3; ++i)); do
  status=0
  "$ordeal" check --json --no-spurious --watchdog 0 --time 1000 ./hashmap >stdout 2>stderr &
  command=$!
  until child=$(pgrep -P "$command") && takes_alarms "$child"; do
    [[ -e /proc/$command ]] || break
  done
  while kill -ALRM "$child" 2>/dev/null && [[ -e /proc/$command ]]; do
    for ((pause = 0; pause < 300; ++pause)); do :; done # one at a time: they would fill the stack of the handler
  done
  wait "$command" || status=$?
  exits 0
  [[ $(counts) == "$expected" ]] || fail "$(counts), expected $expected"
done
