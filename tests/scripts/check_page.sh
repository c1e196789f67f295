#!/usr/bin/env bash
# The page of --html: type-checked, and tried in a real browser with executions made by hand and with those of real bugs
# (viewer/test). Screenshots go to the build tree, to screenshots/. Where Chromium cannot be had this is skipped.
set -euo pipefail
. "$ORDEAL_SOURCE_DIR/tests/support/native.bash"
[[ $tree != "$work/tree" ]] || exit 0 # no runtime here

if ! command -v chromium >/dev/null; then
  candidate=$(apt-cache policy chromium 2>/dev/null | sed -n 's/^ *Candidate: //p')
  [[ -z $candidate || $candidate == '(none)' ]] || fail "chromium is not installed: ./test installs it (packages.txt)"
  echo "skipped: there is no Chromium for this system" && exit 77
fi
[[ -e $tree/share/ordeal/page.html ]] || fail "there is no page: $(cat "$tree/share/ordeal/page.html.missing")"

# The lock file names no registry.
! grep -nE '"resolved"|https?://[^"]*(registry|npm)' "$ORDEAL_SOURCE_DIR/viewer/package-lock.json" || fail "a registry in the lock file"

cd "$ORDEAL_SOURCE_DIR/viewer"
node_modules/.bin/tsc --noEmit || fail "the types are wrong"
HOME=$work ORDEAL=$ordeal ORDEAL_PAGE=$tree/share/ordeal/page.html ORDEAL_SCREENSHOTS=$tree/screenshots timeout 580 node test/run.mjs
