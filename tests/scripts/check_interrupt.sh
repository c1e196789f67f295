#!/usr/bin/env bash
# The check of a program whose execution never ends: Ctrl-C ends it with what is known; and it never outlives the command.
set -euo pipefail
. "$ORDEAL_SOURCE_DIR/tests/support/native.bash"
cat >operations.cpp <<'END_OF_PROGRAM'
#include <atomic>
std::atomic<unsigned> x;
int main() {
  for (;;) x.fetch_add(1);
}
END_OF_PROGRAM
echo 'int main() { for (;;) asm volatile(""); }' >nothing.cpp

# checked PROGRAM: starts the check in the background; then `command` and `child` are processes.
checked() {
  arguments="check $1"
  status=0
  setsid "$ordeal" check --quiet --max-events 1000000000 --watchdog 0 "$1" >stdout 2>stderr &
  command=$!
  local tries=0 caught=0
  child=
  until ((caught & 2)); do # the child has its handler of the interrupt
    ((++tries < 600)) || fail "the program was not started"
    sleep 0.1
    child=$(pgrep -P "$command" || true)
    [[ $child =~ ^[0-9]+$ && $(readlink "/proc/$child/exe") == */${1%.cpp} ]] || continue
    caught=0x$(sed -n 's/^SigCgt:[[:space:]]*//p' "/proc/$child/status" 2>/dev/null | tail -c 5)
  done
  sleep 0.3
}

ends() { # PROCESS
  local tries
  for ((tries = 0; tries < 100; ++tries)); do
    [[ -e /proc/$1 && $(sed -n 's/^State:[[:space:]]*\(.\).*/\1/p' "/proc/$1/status" 2>/dev/null) != Z ]] || return 0
    sleep 0.1
  done
  kill -KILL "$1"
  fail "process $1 does not end"
}

for program in operations.cpp nothing.cpp; do
  checked $program
  kill -INT -- "$child"
  ends "$command"
  wait "$command" || status=$?
  exits 3
  has stdout 'not all was explored: interrupted'

  checked $program # the signal is sent to the command alone
  kill -INT -- "$command"
  ends "$command"
  wait "$command" || status=$?
  exits 3

  checked $program
  kill -KILL "$command"
  wait "$command" || true
  ends "$child"
done
