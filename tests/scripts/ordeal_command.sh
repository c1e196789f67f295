#!/usr/bin/env bash
# ./ordeal builds when it has to and only then, from any directory and through a symlink; parallel calls share one build.
set -euo pipefail
. "$ORDEAL_SOURCE_DIR/tests/support/fake_tree.bash"

run() { "$tree/ordeal" "$@" 2>"$tree/stderr" || true; }
expect_builds() { expect "number of builds: $1" "$2" "$(calls 'cmake --build')"; }
later() { sleep 0.02; } # longer than the grain of file times

# The first call configures and builds, says so on stderr, and passes arguments, directory and exit code.
cd "${tree%/tree}"
expect "output" "in $PWD: check a b.cpp" "$(run check a b.cpp)"
[[ $(<"$tree/stderr") == "ordeal: building"* ]] || fail "no progress: $(<"$tree/stderr")"
status=0
"$tree/ordeal" >/dev/null 2>&1 || status=$?
expect "exit code" 7 "$status"
expect_builds "first" 1
expect "configured once" 1 "$(calls 'cmake --preset release')"

# Nothing changed: no build, no message, no question about packages.
run >/dev/null
expect "silence" "" "$(<"$tree/stderr")"
expect_builds "unchanged" 1
expect "packages asked once" 1 "$(calls dpkg-query)"

# Through a symlink in another directory.
mkdir "${tree%/tree}/elsewhere"
ln -s "$tree/ordeal" "${tree%/tree}/elsewhere/link"
expect "through a link" "in $PWD/elsewhere: x" "$(cd elsewhere && { ./link x || true; })"
expect_builds "symlink" 1

# A changed, an added, a removed file, and one replaced by an older one.
later && echo >>"$tree/src/tools/main.cpp" && run >/dev/null
expect_builds "changed file" 2
later && : >"$tree/src/tools/added.cpp" && run >/dev/null
expect_builds "added file" 3
later && rm "$tree/src/tools/added.cpp" && run >/dev/null
expect_builds "removed file" 4
later && touch -d 2001-01-01 "$tree/src/tools/main.cpp" && run >/dev/null
expect_builds "older file" 5
later && mkdir -p "$tree/include/ordeal" && run >/dev/null
expect_builds "new folder" 6
run >/dev/null
expect_builds "unchanged again" 6

# A file that changes during a build is built by the next call.
: >"$tree/fake/edit"
later && echo >>"$tree/src/tools/main.cpp" && run >/dev/null
rm "$tree/fake/edit"
expect_builds "edited while building" 7
run >/dev/null
expect_builds "edited before" 8
run >/dev/null
expect_builds "not edited" 8

# Changed presets are configured again.
later && echo >>"$tree/CMakePresets.json" && run >/dev/null
expect "configured again" 2 "$(calls 'cmake --preset release')"

# A failed build shows the compiler's message, is exit code 2, and is tried again.
later && echo >>"$tree/src/tools/main.cpp"
: >"$tree/fake/build_fails"
for attempt in 1 2; do
  status=0
  "$tree/ordeal" >"$tree/stdout" 2>"$tree/stderr" || status=$?
  expect "exit code of failed build $attempt" 2 "$status"
  grep -q 'main.cpp:1:1: error: made up' "$tree/stderr" || fail "no compiler message: $(<"$tree/stderr")"
  expect "stdout" "" "$(<"$tree/stdout")"
done
rm "$tree/fake/build_fails"

# Parallel calls: one builds, the others wait for it.
: >"$tree/calls"
later && echo >>"$tree/src/tools/main.cpp"
for _ in 1 2 3 4; do "$tree/ordeal" parallel >>"$tree/parallel" 2>/dev/null & done
wait
expect_builds "parallel" 1
expect "all four ran" 4 "$(grep -c parallel "$tree/parallel")"
expect "builds at once" 0 "$(calls 'two builds')"
