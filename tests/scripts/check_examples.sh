#!/usr/bin/env bash
# Every program in examples/check does what its first line says, `// EXPECT: verified` or `// EXPECT: bug KIND`, checked with GCC.
set -euo pipefail
. "$ORDEAL_SOURCE_DIR/tests/support/native.bash"
if [[ $tree == "$work/tree" ]]; then
  echo "skipped: there is no runtime beside the command"
  exit 0
fi

# judge EXPECT: the verdict in stdout is this one, complete: `verified` without bounds, or `bug KIND` alone
judge() {
  python3 - "$1" <<'END' || fail "expected: $1"
import json, sys
result = json.load(open("stdout"))
found = " ".join([result["verdict"]] + [bug["kind"] for bug in result["bugs"]])
sys.exit(found != sys.argv[1] or result["bounds"] != [])
END
}

count=0
for program in "$ORDEAL_SOURCE_DIR"/examples/check/*.c*; do
  name=$(basename "$program")
  expect=$(sed -n '1s|^// EXPECT: ||p' "$program")
  case $expect in
    verified) code=0 ;;
    bug\ ?*) code=1 ;;
    *) fail "$name does not begin with // EXPECT:" ;;
  esac
  case $name:$code in
    *_bug.c*:1) [[ -e ${program/_bug/_fixed} ]] || fail "$name has no fixed version" ;;
    *_fixed.c*:0) [[ -e ${program/_fixed/_bug} ]] || fail "$name has no broken version" ;;
    *) fail "$name: the name and the first line disagree" ;;
  esac
  run "$ordeal" check --json "$program" && exits "$code"
  judge "$expect"
  if ((code == 1)); then
    replay=$(python3 -c 'import json; print(json.load(open("stdout"))["bugs"][0]["replay"])')
    run "$ordeal" replay "$replay" && exits 1
  else
    run "$ordeal" test --executions 300 "$program" && exits 0 # what is verified, `test` must not refute
  fi
  count=$((count + 1))
done
((count >= 16)) || fail "only $count examples"
echo "$count examples"
