#!/usr/bin/env bash
# --html of each verb: what is on the page, when there is none, what is said then, and the exit codes. check_page.sh looks at pages in a
# browser.
set -euo pipefail
. "$ORDEAL_SOURCE_DIR/tests/support/native.bash"
[[ $tree != "$work/tree" ]] || exit 0 # no runtime here

message=$ORDEAL_SOURCE_DIR/examples/check/message
page() { grep -q 'id="ordeal-data">{"version":1,' "$1" || fail "no page: $1"; }
run "$ordeal" check "${message}_bug.cpp" --html page.html && exits 1 && has stdout "data race on 'message'" && page page.html
run "$ordeal" report ordeal-message_bug-data-race.replay --html report.html && exits 0 && page report.html
has report.html '"replay":"ordeal replay ordeal-message_bug-data-race.replay"'
run "$ordeal" replay ordeal-message_bug-data-race.replay --html replay.html && exits 1 && page replay.html
run "$ordeal" test "${message}_bug.cpp" --html sampled.html && exits 1 && page sampled.html && has sampled.html '"why":["thread 2'
run "$ordeal" check "${message}_bug.cpp" --json --html json.html && exits 1 && page json.html && python3 -m json.tool stdout >/dev/null || fail "no JSON"
run "$ordeal" check "${message}_fixed.cpp" --show --quiet --html shown.html && exits 0 && page shown.html && has shown.html '"title":"execution 1"'
run "$ordeal" litmus "$ORDEAL_SOURCE_DIR"/examples/litmus/0[12]* --html tests.html && exits 0 && page tests.html && has tests.html '"title":"Class 1 of SB+scfences"'
has_not stdout 'Class 1'

# No page for what is empty: the reason, and the exit code of the verdict.
run "$ordeal" check "${message}_fixed.cpp" --html none.html && exits 0 && has stdout verified
has stderr "no page was written to 'none.html': there is no bug to show; with --show every execution is shown"
run "$ordeal" check "$ORDEAL_SOURCE_DIR/tests/native/invalid_free_bug.cpp" --html none.html && exits 1 && has stderr "no page was written to 'none.html': the execution has no events"
run "$ordeal" test "${message}_fixed.cpp" --html none.html && exits 0 && has stderr 'there is no bug to show'
[[ ! -e none.html ]] || fail "a page of nothing"

# A page that cannot be written: the report is there all the same.
run "$ordeal" check "${message}_bug.cpp" --html nowhere/page.html && exits 2 && has stdout "data race on 'message'"
has stderr "cannot write the page 'nowhere/page.html': No such file or directory"
[[ ! -e /dev/full ]] || { run "$ordeal" check "${message}_bug.cpp" --html /dev/full && exits 2 && has stderr "cannot write the page '/dev/full': No space left on device"; }

# The source is gone, or newer than the program.
cp "${message}_bug.cpp" mine.cpp && run "$ordeal" check mine.cpp --html mine.html && exits 1 && has mine.html 'sent.store(true, std::memory_order_relaxed);'
touch -d '1 hour' mine.cpp && run "$ordeal" report ordeal-mine-data-race.replay --html mine.html && has mine.html 'It is newer than the program'
rm mine.cpp && run "$ordeal" report ordeal-mine-data-race.replay --html mine.html && exits 0 && has mine.html 'The source is not there: mine.cpp cannot be read.'

# Tests of a framework: one page for all.
printf '%s\n' '#include <gtest/gtest.h>' '#include <thread>' 'int x;' 'void race() { std::thread t([] { x = 1; }); x = 2; t.join(); }' 'TEST(A, one) { race(); }' 'TEST(A, two) { race(); }' >cases.cpp
run "$ordeal" check cases.cpp --html cases.html -- -lgtest -lgtest_main && exits 1 && page cases.html
has cases.html "\"title\":\"A.one: data race on 'x'" && has cases.html "\"title\":\"A.two: data race on 'x'"

# Where npm does not work, only the page is missing.
mkdir -p bare/bin bare/share/ordeal && cp "$ordeal" bare/bin && cp -r "$tree/include" "$tree/lib" bare
run bare/bin/ordeal litmus "$ORDEAL_SOURCE_DIR/examples/litmus/01-SB.litmus" --html bare.html && exits 2 && has stdout 'Observation SB Sometimes 1 3'
has stderr 'Ordeal was built without the page: it was not built'
mkdir viewer && cp "$ORDEAL_SOURCE_DIR"/viewer/{build.sh,build.mjs,package.json,package-lock.json,.npmrc} viewer
npm_config_registry=http://localhost:1 npm_config_cache=$work/empty run bash viewer/build.sh "$work/bare/share/ordeal/page.html" && exits 0 && has stderr 'there will be no pages (--html): npm could not get the packages'
run bare/bin/ordeal litmus "$ORDEAL_SOURCE_DIR/examples/litmus/01-SB.litmus" --html bare.html && exits 2 && has stderr 'npm could not get the packages that the page is built with'
has stderr '--target ordeal_page'
