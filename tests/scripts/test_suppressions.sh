#!/usr/bin/env bash
# `ordeal test --suppressions FILE` in ThreadSanitizer's syntax, and --gen-suppressions, which prints such a file.
set -euo pipefail
. "$ORDEAL_SOURCE_DIR/tests/support/native.bash"
[[ $tree != "$work/tree" ]] || exit 0 # no runtime here

cat >races.cpp <<'END'
#include <mutex>
#include <thread>
int counter, other;
std::mutex a, b;
__attribute__((noinline)) void inner() { ++counter; }
__attribute__((noinline)) void outer() { inner(); asm volatile(""); }
__attribute__((noinline)) void set_other() { other = 1; }
__attribute__((noinline)) void both(std::mutex& first, std::mutex& second) {
  std::lock_guard one(first), two(second);
}
int main(int argc, char**) {
  std::thread one([&] { outer(); set_other(); if (argc > 1) both(a, b); });
  std::thread two([&] { outer(); set_other(); if (argc > 1) both(b, a); });
  one.join(), two.join();
}
END
"$ordeal" c++ -g -O1 -std=c++20 races.cpp -o races

with() { # EXIT LINES…
  printf '%s\n' "${@:2}" >list
  run "$ordeal" test --executions 200 --suppressions list ./races
  exits "$1"
}
run "$ordeal" test --executions 200 ./races && exits 1
has stdout "data race on 'counter'" && has stdout "data race on 'other'" && has stdout '#1 outer '
with 1 '# a comment' '' 'race:inner' && has_not stdout "data race on 'counter'" && has stdout "data race on 'other'"
grep -qE 'note: [0-9]+ bugs? (is|are) suppressed by list: race:inner \([0-9]+\)' stdout || fail "no note"
with 1 'race:^outer$' && has_not stdout "data race on 'counter'"
with 1 'race_top:^outer$' && has stdout "data race on 'counter'"
with 1 'race_top:^inn*r$' && has_not stdout "data race on 'counter'"
with 1 'race:^other$' && has stdout "data race on 'counter'" && has_not stdout "data race on 'other'"
with 0 'race:races.cpp' && has stdout 'sampled: no bug' && has stdout 'suppressed by list'
with 1 'deadlock:inner' 'mutex:inner' 'called_from_lib:libz'
with 0 'called_from_lib:races'
with 2 'race inner' && has stderr "list:1: 'race inner' is not understood"

# What is suggested suppresses all, and nothing else is left to suppress.
run "$ordeal" test --executions 500 --gen-suppressions ./races deadlock && exits 1
has stdout '# for --suppressions FILE:'
has stdout 'race:^inner$' && has stdout 'race:^set_other$'
grep -q '^deadlock:' stdout || fail "no line for the deadlock"
sed -n '/^# for --suppressions/,$p' stdout >suggested
run "$ordeal" test --executions 500 --suppressions suggested --gen-suppressions ./races deadlock && exits 0
has_not stdout '# for'
[[ -z $(ls -A tmp) ]] || fail "left behind"
