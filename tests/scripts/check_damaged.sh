#!/usr/bin/env bash
# Damaged, cut, foreign and newer replay files: a clear message and exit code 2, never a crash (tests/formats/mutate.py; a fixed seed).
set -euo pipefail
. "$ORDEAL_SOURCE_DIR/tests/support/native.bash"
[[ $tree != "$work/tree" ]] || exit 0 # no runtime here

run "$ordeal" check "$ORDEAL_SOURCE_DIR/examples/check/message_bug.cpp" --output m.replay && exits 1
python3 -B "$ORDEAL_SOURCE_DIR/tests/formats/mutate.py" "$ordeal" m.replay >found || fail "$(<found)"
sed '1s/ 1$/ 2/' m.replay >newer.replay
run "$ordeal" report newer.replay && exits 2 && has stderr "'newer.replay' is no replay file: line 1: " && prints_nothing
run "$ordeal" report m.replay newer.replay && exits 2 && prints_nothing
[[ $(sed -n 2p stderr) == 'usage: ordeal report [OPTIONS] FILE' ]] || fail "how many files? $(<stderr)"
