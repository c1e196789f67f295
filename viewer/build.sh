#!/usr/bin/env bash
# Builds the page of `ordeal --html`: viewer/build.sh OUTPUT. What it needs of npm is installed once, for all build trees.
# Where node or npm is missing, or npm gets no packages, OUTPUT.missing says why, and the exit code is 0: all else is built
# all the same, and --html tells the reason.
set -uo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd -P)
output=$1
log=$output.log
mkdir -p "$(dirname "$output")"

missing() {
  rm -f "$output"
  printf '%s\n' "$1" >"$output.missing"
  printf 'ordeal: there will be no pages (--html): %s\n' "$1" >&2
  exit 0
}

command -v node >/dev/null || missing "'node' was not there when Ordeal was built (Debian's package nodejs)"
command -v npm >/dev/null || missing "'npm' was not there when Ordeal was built (Debian's package npm)"
[[ $(node -p 'Number(process.versions.node.split(".")[0]) >= 18') == true ]] || missing "'node' is older than version 18: $(node --version)"

(
  flock 9
  if ! cmp -s "$here/package-lock.json" "$here/node_modules/.installed"; then
    (cd "$here" && timeout 600 npm ci) && cp "$here/package-lock.json" "$here/node_modules/.installed"
  fi
) >"$log" 2>&1 9>"$here/.lock" || missing "npm could not get the packages that the page is built with ($(grep -m1 -oE 'npm (ERR!|error) code .*' "$log" || echo "see $log"))"
node "$here/build.mjs" "$output" >>"$log" 2>&1 || { cat "$log" >&2 && rm -f "$output" && exit 1; }
rm -f "$output.missing" "$log"
