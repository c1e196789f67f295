#!/usr/bin/env bash
# `ordeal check` and `ordeal replay` around the search: compiling, starting, options, results, verdicts, exit codes. The
# runtime is a stub that says what the test wants to hear.
set -euo pipefail
. "$ORDEAL_SOURCE_DIR/tests/support/native.bash"
use_stub

result() { # VERDICT [LINES…]: what the stub will say
  printf 'ordeal-result 1\nverdict %s\nmodel "cpp20"\nexecutions 6\nblocked 1\nseconds 0.25\nthreads 2\nevents 9\n' "$1"
  shift
  printf '%s\n' "$@" 'end'
}
bug=('bug assertion count=2' 'message "a == b"' 'output ""' 'ordeal-trace 2' 'program ""' 'model "cpp20"' 'ending complete' 'end')
export STUB_RESULT=$work/result STUB_LOG=$work/log

cat >good.cpp <<'END'
#include <atomic>
#include "part.h"
std::atomic<int> x;
int main(int argc, char**) { return x.load() + argc + PART - 2; }
END
echo '#define PART 1' >part.h
echo 'int in_c(void) { return 1; }' >part.c

# --- verdicts and exit codes -----------------------------------------------------------------------------------------------
result verified >result
run "$ordeal" check good.cpp && exits 0
has stdout 'verified: all 6 execution classes of good.cpp'
has stderr 'ordeal: compiled with g++ -O1 -g -std=c++20'
has log 'mode=check:result_fd='
has log ':model=cpp20:load_buffering=0:spurious=1:keep_going=0:fair=0'
result bounded 'bound "--time"' >result
run "$ordeal" check good.cpp && exits 3 && has stdout 'not all was explored: --time'
result cannot-check 'cannot_check "a futex"' >result
run "$ordeal" check good.cpp && exits 4 && has stdout 'cannot check good.cpp: a futex'
result sampled >result
run "$ordeal" check --quiet good.cpp && exits 0 && complains_not
result bug "${bug[@]}" >result
run "$ordeal" check good.cpp && exits 1
has stdout 'a == b'
has stdout 'ordeal replay ordeal-good-assertion.replay'
[[ -s ordeal-good-assertion.replay ]] || fail "no replay file"
run "$ordeal" check --json good.cpp && exits 1
python3 -c 'import json, sys; r = json.load(open("stdout")); sys.exit(r["verdict"] != "bug" or r["bugs"][0]["replay"] != "ordeal-good-assertion.replay")' ||
  fail "wrong JSON"

# The same program's replay file is replaced; another file of that name is not.
echo mine >ordeal-good-assertion.replay
run "$ordeal" check good.cpp && exits 1 && has stdout 'ordeal replay ordeal-good-assertion-2.replay'
[[ $(<ordeal-good-assertion.replay) == mine ]] || fail "a file was overwritten"
run "$ordeal" check good.cpp && exits 1 && has stdout 'ordeal replay ordeal-good-assertion-2.replay'
run "$ordeal" check --output my.replay good.cpp -- -DX -- one two && exits 1 && [[ -s my.replay ]]

# --- replay ------------------------------------------------------------------------------------------------------------------
run "$ordeal" replay my.replay && exits 1
has log 'mode=replay:'
has log 'replay_fd='
has log 'argument "two"'
result verified >result
run "$ordeal" replay my.replay && exits 4 && has stderr 'did not happen again'
run "$ordeal" replay good.cpp && exits 2 && has stderr "'good.cpp' is no replay file"
run "$ordeal" replay none.replay && exits 2 && has stderr "cannot read 'none.replay'"
run "$ordeal" replay && exits 2

# --- options arrive ----------------------------------------------------------------------------------------------------------
run "$ordeal" check good.cpp --model tso --no-spurious --keep-going --loop-bound 3 --fair --reread-bound 4 --max-events 5 --time 1.5 \
  --executions 7 --load-buffering && exits 0
for option in model=tso spurious=0 keep_going=1 loop_bound=3 fair=1 reread_bound=4 max_events=5 time=1.5 executions=7 load_buffering=1; do
  has log ":$option"
done
for wrong in '--model cpp17' '--loop-bound 0' '--time x' '--frobnicate' '--color sometimes'; do
  # shellcheck disable=SC2086
  run "$ordeal" check good.cpp $wrong && exits 2 && prints_nothing && has stderr "'ordeal check --help' lists the options."
done
run "$ordeal" check && exits 2 && has stderr 'FILE is missing'
run "$ordeal" check good.cpp -O2 && exits 2 && has stderr 'unknown option -O2; flags for the compiler go behind --'
run "$ordeal" chekc good.cpp && exits 2 && has stderr 'Did you mean check?'
run "$ordeal" check . && exits 2 && has stderr "'.' is a folder"
status=0 && "$ordeal" check good.cpp >&- 2>stderr || status=$?
exits 2 && has stderr 'cannot write to standard output'
status=0 && "$ordeal" check --quiet good.cpp <&- >stdout 2>&- || status=$?
exits 0 && has stdout verified

# --- compiling -----------------------------------------------------------------------------------------------------------------
for compiler in g++ clang++ gcc clang; do
  run "$ordeal" check good.cpp part.c --compiler "$compiler" -- -O2 -Wall -Wextra -Werror && exits 0
  has stderr ' -O1 -g -std=c++20 -O2'
done
run "$ordeal" check good.cpp -- -std=c++17 && exits 0 && has stderr 'g++ -O1 -g -std=c++17' && has_not stderr c++20
printf '#include <ordeal/ordeal.h>\nint main(void) { ordeal_assume(1); return (int)ordeal_choose(1); }\n' >main.c
run "$ordeal" check main.c -- -lm && exits 0 && has stderr 'gcc -O1 -g -lm'
echo 'int main() { return none; }' >broken.cpp
run "$ordeal" check broken.cpp && exits 2 && prints_nothing && has stderr 'broken.cpp:1:21: error:'
run "$ordeal" check good.cpp broken.cpp && exits 2 && has stderr 'broken.cpp:1:21: error:'
run "$ordeal" check none.cpp && exits 2 && has stderr "there is no file 'none.cpp'"
run "$ordeal" check good.cpp part.o && exits 2 && has stderr 'behind --'
run "$ordeal" check good.cpp -- -fsanitize=address && exits 2 && has stderr '-fsanitize=address cannot work'
run "$ordeal" check good.cpp --compiler true && exits 2 && has stderr 'neither GCC nor Clang'

# The program is kept, and compiled again when something changed that it was made from.
fresh() { run "$ordeal" check good.cpp "$@" && exits 0 && has_not stderr '(before)'; }
kept() { run "$ordeal" check good.cpp "$@" && exits 0 && has stderr '(before)'; }
sleep 0.1 && touch good.cpp part.h && sleep 0.1
fresh && kept && kept
sleep 0.1 && echo '#define PART 2' >part.h && sleep 0.1 && fresh && kept
fresh -- -DY && kept -- -DY && kept
sleep 0.1 && touch "$tree/lib/ordeal/libordeal.so" && sleep 0.1 && fresh && kept
mkdir elsewhere && echo '#define PART 3' >elsewhere/part.h && sleep 0.1 && fresh -- -Ielsewhere && kept -- -Ielsewhere
(export XDG_CACHE_HOME=/proc/none && run "$ordeal" check good.cpp && exits 0 && has stderr 'not kept for a replay')

# --- programs --------------------------------------------------------------------------------------------------------------------
"$ordeal" c++ good.cpp -o good
run "$ordeal" check --model sc ./good --model -- x && exits 0 && has log model=sc:
g++ good.cpp -o plain -pthread
run "$ordeal" check ./plain && exits 4 && prints_nothing && has stderr "'ordeal c++'" && has stderr 'not instrumented'
g++ -fsanitize=thread good.cpp -o tsan
run "$ordeal" check ./tsan && exits 4 && has stderr 'but with -fsanitize=thread'
g++ -static good.cpp -o static
run "$ordeal" check ./static && exits 4 && has stderr 'linked statically'
g++ -c good.cpp -o plain.o && "$ordeal" c++ plain.o -o mixed
run "$ordeal" check ./mixed && exits 4 && has stderr 'none of its code was compiled by it'
printf '#!/bin/sh\n' >script && chmod +x script
run "$ordeal" check ./script && exits 4 && has stderr 'is no program for this machine'
run "$ordeal" check ./none && exits 2 && has stderr "there is no file './none'"

# --- a check that comes to no end is no pass -----------------------------------------------------------------------------------
export STUB_SIGNAL=9
run "$ordeal" check ./good && exits 4 && prints_nothing && has stderr 'was killed by signal 9 (Killed) before the check was done'
STUB_SIGNAL=11
run "$ordeal" check ./good && exits 4 && has stderr 'was killed by signal 11'
unset STUB_SIGNAL
: >result
run "$ordeal" check ./good && exits 4 && has stderr 'ended with exit code 0 before the check was done'
STUB_EXIT=7 run "$ordeal" check ./good && exits 4 && has stderr 'ended with exit code 7'
result verified >whole && head -n 3 whole >result # no pipe: who writes into one that nobody reads any more fails
run "$ordeal" check ./good && exits 4 && prints_nothing && has stderr 'left a result that cannot be read'

# Ctrl-C belongs to the program, which ends the search with what it has.
result bounded 'bound "Ctrl-C"' >result
export STUB_SLEEP=1
setsid env --default-signal=INT "$ordeal" check ./good >stdout 2>stderr &
group=$!
for ((i = 0; i < 200; ++i)); do grep -q sleeping stdout && break || sleep 0.05; done
kill -INT -- "-$group" # the command and its child, as a terminal does
status=0
wait "$group" || status=$?
exits 3 && has stdout 'not all was explored: Ctrl-C'
unset STUB_SLEEP

chmod -x good
run "$ordeal" check ./good && exits 4 && has stderr 'could not be started: Permission denied'
no_temporaries
