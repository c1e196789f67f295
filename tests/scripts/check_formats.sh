#!/usr/bin/env bash
# --json, --sarif, --junit and --dot of each verb: every file is looked at by its own tool or schema (tests/formats), over bugs of many
# kinds; what they say of runs without a bug; what happens if a file cannot be written.
set -euo pipefail
. "$ORDEAL_SOURCE_DIR/tests/support/native.bash"
[[ $tree != "$work/tree" ]] || exit 0 # no runtime here

valid() { python3 -B "$ORDEAL_SOURCE_DIR/tests/formats/validate.py" "$@" 2>complaint || fail "$(<complaint)"; }
all=(--json --sarif x.sarif --junit x.xml --dot x.dot)
keep() { # NAME: what the last run wrote
  cp stdout "$1.json"
  mv x.sarif "$1.sarif"
  mv x.xml "$1.xml"
  [[ ! -e x.dot ]] || mv x.dot "$1.dot"
}
examples=$ORDEAL_SOURCE_DIR/examples/check

# Bugs of many kinds.
for program in "$examples"/*_bug.c* "$ORDEAL_SOURCE_DIR"/tests/native/{use_after_free,double_free,exception_in_thread,uninitialised_load,condition_lost_wake_up,condition_two_waiters,exit_code,unlock_not_owner}_bug.cpp \
  "$ORDEAL_SOURCE_DIR"/benchmarks/programs/{chase-lev-bug,ms-queue-bug1,rwlock-bug}.cpp; do
  run "$ordeal" check "$program" "${all[@]}" && exits 1 && keep "$(basename "$program")"
  grep -q '"executionOrder": 1,\?$' "$(basename "$program").sarif" || fail "no execution"
  [[ $program == */exit_code_bug.cpp ]] || has "$(basename "$program").sarif" '"startLine"' # where main returns is not known
  grep -q '<failure type=' "$(basename "$program").xml" || fail "no failure"
done

# Other verbs.
message=$examples/message
run "$ordeal" check "${message}_bug.cpp" --output m.replay && exits 1
cp stdout terminal
run "$ordeal" report m.replay "${all[@]}" && exits 0 && keep report && has report.sarif '"replay": "m.replay"'
run "$ordeal" replay m.replay "${all[@]}" && exits 1 && keep replay
run "$ordeal" test "${message}_bug.cpp" "${all[@]}" && exits 1 && keep test
has test.sarif '"occurrenceCount": 1000' && has test.sarif '"stacks"'
run "$ordeal" check "$ORDEAL_SOURCE_DIR/tests/native/invalid_free_bug.cpp" "${all[@]}" && exits 1 && keep invalid_free && has stderr "no graph was written to 'x.dot': the execution has no events"
has_not invalid_free.sarif codeFlows && has invalid_free.sarif '"startLine"'
run "$ordeal" check "${message}_fixed.cpp" --show "${all[@]}" && exits 0 && keep shown && has shown.xml 'failures="0" errors="0"' && has shown.dot 'label="execution 1"'
run "$ordeal" litmus "$ORDEAL_SOURCE_DIR"/examples/litmus/0[12]* --dot litmus.dot --junit litmus.xml --expect && exits 0 && has litmus.dot 'Class 1 of SB+scfences' && has litmus.xml 'tests="2" failures="0"'
printf '%s\n' '#include <gtest/gtest.h>' '#include <thread>' 'int x;' 'void race() { std::thread t([] { x = 1; }); x = 2; t.join(); }' 'TEST(A, one) { race(); }' 'TEST(A, two) {}' >cases.cpp
run "$ordeal" check cases.cpp "${all[@]}" -- -lgtest -lgtest_main && exits 1 && keep cases
has cases.xml '<testcase classname="cases.cpp" name="A.one"' && has cases.xml 'tests="2" failures="1" errors="0"'
[[ $(grep -c '"version"' cases.json) == 1 && $(grep -o '"version":1' cases.json | wc -l) == 1 ]] || fail "the version stands once"

# What is no success does not look like one: the search was cut, the program cannot be checked, or does not compile.
run "$ordeal" check "$ORDEAL_SOURCE_DIR/tests/native/max_events_bounded.cpp" --max-events 3 "${all[@]}" && exits 3 && keep bounded && has bounded.xml '<error type="bounded"' && has bounded.sarif '"level": "warning"'
run "$ordeal" check "${all[@]}" "$ordeal" && exits 4 && prints_nothing && cp report.json stdout && keep cannot && has cannot.xml '<error type="cannot-check"' && has cannot.sarif '"executionSuccessful": false'
echo 'int main() { return x; }' >wrong.cpp
run "$ordeal" check wrong.cpp "${all[@]}" && exits 2 && prints_nothing && cp report.json stdout && keep wrong && has wrong.xml '<error type="compile-error"' && has wrong.sarif 'it does not compile'
printf '%s\n' 'C bad' '{}' 'P0(atomic_int* x) { atomic_store_explicit(x, 1, memory_order_relaxed); }' 'P1(atomic_int* x) { int r = atomic_load_explicit(x, memory_order_relaxed); }' '~exists (1:r=1)' >bad.litmus
run "$ordeal" litmus bad.litmus --expect --junit bad.xml && exits 1 && has bad.xml '<failure type="condition" message="~exists (1:r=1) does not hold">'

# Litmus tests: a result for a condition that does not hold (its line is that of the condition), for a race, and with --require-sc for a class
# that is no interleaving; nothing for what is as expected. An `exists` that is not reached is none.
result() { python3 -c 'import json, sys; run = json.load(open(sys.argv[1]))["runs"][0]
for r in run["results"]:
  at = r["locations"][0]["physicalLocation"] if r["locations"] else {"artifactLocation": {"uri": ""}, "region": {"startLine": 0}}
  print(r["ruleId"], at["artifactLocation"]["uri"], at["region"]["startLine"], *[o["physicalLocation"]["region"]["startLine"] for o in r.get("relatedLocations", [])], len(r["codeFlows"][0]["threadFlows"]))
for n in run["invocations"][0].get("toolExecutionNotifications", []): print(n["level"], run["invocations"][0]["executionSuccessful"], n["message"]["text"])' "$1"; }
run "$ordeal" litmus bad.litmus --expect --sarif bad.sarif && exits 1
[[ $(result bad.sarif) == 'condition bad.litmus 5 2' ]] || fail "$(result bad.sarif)"
has bad.sarif '"text": "bad: ~exists (1:r=1) does not hold.'
examples_litmus=$ORDEAL_SOURCE_DIR/examples/litmus
cp "$examples_litmus"/{01-SB,02-SB+scfences,05-race}.litmus .
run "$ordeal" litmus 0[125]*.litmus --expect --sarif litmus.sarif && exits 1
[[ $(result litmus.sarif) == 'data-race 05-race.litmus 18 10 2' ]] || fail "$(result litmus.sarif)"
run "$ordeal" litmus 01-SB.litmus --require-sc --sarif weak.sarif && exits 1
line=$(grep -n 'atomic_load' 01-SB.litmus | tail -n 1 | cut -d: -f1)
[[ $(result weak.sarif) == "not-sc 01-SB.litmus $line 2" ]] || fail "$(result weak.sarif)"
run "$ordeal" litmus 02-SB+scfences.litmus --expect --require-sc --sarif fine.sarif && exits 0 && [[ -z $(result fine.sarif) ]] || fail "$(result fine.sarif)"
run "$ordeal" litmus - --expect --sarif input.sarif <bad.litmus && exits 1 && [[ $(result input.sarif) == 'condition  0 2' ]] || fail "$(result input.sarif)"
run "$ordeal" litmus 01-SB.litmus --expect --executions 1 --sarif cut.sarif && exits 3
[[ $(result cut.sarif) == 'warning True SB (01-SB.litmus): not all was explored: stopped after 1 execution class (--executions)' ]] || fail "$(result cut.sarif)"

# Whatever bytes a program has: of its own output, and in its names.
printf '%s\n' '#include <cstdio>' '#include <ordeal/ordeal.h>' '#include <atomic>' 'std::atomic<int> x;' 'int main() { x = 1; std::printf("\x01\x1b[31m]]>\xff\xfe\xef\xbf\xbf<&\">\\{0}\n"); ordeal_check(x == 2, "a\"<\\{1}&amp;]]>\x02"); }' >"bytes & {0} <x>.cpp"
run "$ordeal" check 'bytes & {0} <x>.cpp' "${all[@]}" && exits 1 && keep bytes && has bytes.sarif '"uri": "bytes%20%26%20%7B0%7D%20%3Cx%3E.cpp"'

valid json ./*.json && valid sarif ./*.sarif && valid junit ./*.xml && valid dot ./*.dot
(($(ls ./*.sarif | wc -l) >= 25)) || fail "too few files"

# The tools that look are not blind.
sed 's/"executionOrder": 1$/"executionOrder": 2/;s/"executionOrder": 1,$/"executionOrder": 2,/' report.sarif >wrong.sarif && ! python3 -B "$ORDEAL_SOURCE_DIR/tests/formats/validate.py" sarif wrong.sarif 2>/dev/null || fail "blind: SARIF"
sed 's/"version":1/"version":2/' report.json >wrong.json && ! python3 -B "$ORDEAL_SOURCE_DIR/tests/formats/validate.py" json wrong.json 2>/dev/null || fail "blind: JSON"
sed 's/failures="1"/failures="0"/' report.xml >wrong.junit && ! python3 -B "$ORDEAL_SOURCE_DIR/tests/formats/validate.py" junit wrong.junit 2>/dev/null || fail "blind: JUnit"
sed 's/label="/label=/' report.dot >wrong.dot && ! python3 -B "$ORDEAL_SOURCE_DIR/tests/formats/validate.py" dot wrong.dot 2>/dev/null || fail "blind: DOT"

# A file that cannot be written: the report is there all the same, and the other files.
for format in sarif junit dot; do
  run "$ordeal" check "${message}_bug.cpp" --html page.html --output m.replay "--$format" nowhere/x && exits 2
  diff <(grep -v '^bug: ' stdout) <(grep -v '^bug: ' terminal) >/dev/null || fail "another report"
  [[ $(<stderr) == *"cannot write the "*"'nowhere/x': No such file or directory" && -s page.html ]] || fail "no reason, or no page"
  rm page.html
done
run "$ordeal" check "${message}_fixed.cpp" --dot none.dot && exits 0 && has stderr "no graph was written to 'none.dot': there is no bug to show; with --show every execution is shown"
[[ ! -e none.dot ]] || fail "a graph of nothing"
run "$ordeal" litmus bad.litmus --sarif x && exits 2 && has stderr '--sarif needs --expect or --require-sc: without them no test can fail' && prints_nothing
run "$ordeal" litmus bad.litmus --junit x && exits 2 && has stderr '--junit needs --expect: without it no test can fail' && prints_nothing
