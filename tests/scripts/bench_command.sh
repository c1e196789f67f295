#!/usr/bin/env bash
# ./bench builds what it measures, and nothing when there is nothing to measure.
set -euo pipefail
. "$ORDEAL_SOURCE_DIR/tests/support/fake_tree.bash"
cp "$ORDEAL_SOURCE_DIR/bench" "$tree"
mkdir -p "$tree/benchmarks"
cp -r "$ORDEAL_SOURCE_DIR/benchmarks/bench" "$tree/benchmarks"
unset ORDEAL

# run BUILT-TARGETS EXIT-CODE ARGUMENTS…
run() {
  local targets=$1 code=$2 status=0
  shift 2
  : >"$tree/calls"
  "$tree/bench" "$@" >"$tree/stdout" 2>"$tree/stderr" || status=$?
  expect "exit code of ./bench $*" "$code" "$status"
  expect "targets of ./bench $*" "$targets" "$(sed -n 's/.*--target \([^ ]*\).*/\1/p' "$tree/calls" | paste -sd' ')"
}

run "" 0 --help
grep -q 'usage: ./bench' "$tree/stdout" || fail "no usage"
run "" 0 papers --help
echo '[]' >"$tree/none.json"
run "" 0 compare "$tree/none.json" "$tree/none.json"
run "ordeal ordeal_bench" 2 papers nothing
grep -q "there is no 'nothing' in papers" "$tree/stderr" || fail "papers: no message"
ORDEAL=/bin/false run "ordeal_bench" 2 papers nothing
: >"$tree/fake/build_fails"
ORDEAL='' run "ordeal_bench" 2 papers
