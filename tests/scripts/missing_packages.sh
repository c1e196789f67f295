#!/usr/bin/env bash
# Missing packages are installed by root, through sudo by others; without sudo the command to run is printed.
set -euo pipefail
. "$ORDEAL_SOURCE_DIR/tests/support/fake_tree.bash"

# Calls ./ordeal without a terminal and with only the stand-ins and what they need in PATH; gives `status` and stderr.
mkdir "$tree/tools"
for tool in bash env readlink find flock mkdir rm rmdir cp mv cat tail head awk grep sed nproc chmod sleep true; do
  ln -s "$(type -P "$tool")" "$tree/tools/$tool"
done
run() {
  status=0
  : >"$tree/calls"
  PATH=$tree/bin:$tree/tools "$tree/ordeal" >/dev/null 2>"$tree/stderr" </dev/null || status=$?
}

# Not root, no sudo: the exact command, exit code 2, nothing built.
echo 1000 >"$tree/fake/uid"
printf 'g++\n' >"$tree/fake/installed"
run
expect "exit code" 2 "$status"
grep -qx '  apt-get update && apt-get install -y --no-install-recommends cmake libfmt-dev' "$tree/stderr" ||
  fail "no command: $(<"$tree/stderr")"
expect "calls" "dpkg-query" "$(<"$tree/calls")"

# Not root, with a sudo that would ask for a password: the same.
stand_in sudo <<'EOF'
echo "sudo $*" >>"$tree/calls"
[[ -e $tree/fake/sudo_works ]] || exit 1
[[ $1 == -n ]] && shift
exec "$@"
EOF
run
expect "exit code" 2 "$status"
expect "no installation" 0 "$(calls apt-get)"

# Not root, with a sudo that works.
: >"$tree/fake/sudo_works"
run
expect "ran" 7 "$status"
expect "through sudo" 1 "$(calls '^sudo env .*apt-get .*install -y --no-install-recommends cmake libfmt-dev$')"
expect "update, then install" "update install" \
  "$(sed -n 's/^apt-get .*\b\(update\|install\)\b.*/\1/p' "$tree/calls" | paste -sd' ')"

# Root, after packages.txt changed: without sudo. Then not asked again.
echo 0 >"$tree/fake/uid"
sleep 0.02
echo ninja-build >>"$tree/packages.txt"
run
expect "ran" 7 "$status"
expect "no sudo" 0 "$(calls sudo)"
expect "as root" 1 "$(calls '^apt-get .*install -y --no-install-recommends cmake libfmt-dev ninja-build$')"
echo >>"$tree/src/tools/main.cpp"
run
expect "not asked again" "0 1" "$(calls dpkg-query) $(calls 'cmake --build')"

# What is there from elsewhere is left alone, and what only tests need is for ./test.
printf '%s\n' 'nodejs unless head' 'npm unless no-such-command' 'chromium tests' >>"$tree/packages.txt"
echo >>"$tree/src/tools/main.cpp"
sleep 0.02
run
expect "without nodejs and chromium" 1 "$(calls '^apt-get .*install -y --no-install-recommends cmake libfmt-dev ninja-build npm$')"
: >"$tree/calls"
PATH=$tree/bin:$tree/tools "$tree/test" --quick >/dev/null 2>&1 </dev/null || true
expect "with chromium" 1 "$(calls '^apt-get .*install -y --no-install-recommends cmake libfmt-dev ninja-build npm chromium$')"

# An installation that fails.
rm "$tree/build/.packages"
stand_in apt-get <<'EOF'
echo "E: no such package"
exit 100
EOF
echo >>"$tree/src/tools/main.cpp"
sleep 0.02
run
expect "exit code" 2 "$status"
grep -q 'E: no such package' "$tree/stderr" || fail "no reason: $(<"$tree/stderr")"
