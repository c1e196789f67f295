#!/usr/bin/env bash
# ./test counts what ctest reports, over all presets, and fails when a test or a build fails or nothing ran.
set -euo pipefail
. "$ORDEAL_SOURCE_DIR/tests/support/fake_tree.bash"

# Reports $tree/fake/results, one status a line.
stand_in ctest <<'EOF'
echo "ctest $* scale=${ORDEAL_TEST_SCALE-}" >>"$tree/calls"
while [[ $1 != --output-junit ]]; do shift; done
echo '<testsuite>' >"$2"
while read -r status; do
  printf '\t<testcase name="a" classname="a" time="0" status="%s">\n' "$status" >>"$2"
  [[ $status != fail ]] || failed=8
done <"$tree/fake/results"
echo "1/1 Test #1: a.b.c ....... Passed    0.01 sec"
[[ -z ${failed-} ]] || echo "2/2 Test #2: a.b.bad .....***Failed  0.01 sec"
exit "${failed-0}"
EOF

# run LAST-LINE EXIT-CODE ARGUMENTS…
run() {
  local line=$1 code=$2 status=0
  shift 2
  : >"$tree/calls"
  "$tree/test" "$@" >"$tree/stdout" 2>"$tree/stderr" || status=$?
  expect "last line of ./test $*" "$line" "$(tail -n 1 "$tree/stdout")"
  expect "exit code of ./test $*" "$code" "$status"
}

printf 'run\nrun\nnotrun\n' >"$tree/fake/results"
run "4 passed, 0 failed" 0
expect "presets" "release asan-ubsan" \
  "$(sed -n 's/.*--test-dir [^ ]*build\/\([^ ]*\).*/\1/p' "$tree/calls" | paste -sd' ')"
expect "scales" "scale= scale=0.1" "$(grep -o 'scale=.*' "$tree/calls" | paste -sd' ')"
run "2 passed, 0 failed" 0 --quick
run "2 passed, 0 failed" 0 --preset clang
run "2 passed, 0 failed" 0 --long
expect "long" 1 "$(calls 'scale=100$')"
run "2 passed, 0 failed" 0 --quick --gtest_filter='Suite.Ca*:Other.*' name
expect "filter" 1 "$(calls '\-R \[\.\](Suite\\\.Ca\.\*|Other\\\.\.\*)\$|name ')"

printf 'run\nfail\n' >"$tree/fake/results"
run "2 passed, 2 failed" 1
grep -q 'a.b.bad' "$tree/stdout" || fail "the failure is not shown"
! grep -q 'a.b.c' "$tree/stdout" || fail "a passed test is shown"

printf '' >"$tree/fake/results"
run "0 passed, 0 failed" 1 --quick

: >"$tree/fake/build_fails"
run "0 passed, 1 failed" 1
grep -q 'main.cpp:1:1: error: made up' "$tree/stdout" || fail "no compiler message"
expect "no tests after a failed build" 0 "$(calls ctest)"

status=0
"$tree/test" --no-such-option 2>/dev/null || status=$?
expect "unknown option" 2 "$status"
