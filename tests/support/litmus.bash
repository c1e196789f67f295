# Sourced by script tests of `ordeal litmus`: makes an empty folder to work in, with some litmus tests. Gives
#
#   run ARGUMENTS…        calls `ordeal litmus`; then `status`, and its output in the files stdout and stderr
#   exits CODE            what it must have exited with
#   prints, complains     stdout, or stderr, must be the text on standard input; times are written TIME
#   prints_nothing, complains_not
#   fail MESSAGE
#   message_passing FILE CONDITION    writes a test with four states, 1:r0 and 1:r1
#   long_test FILE NAME               writes a test that runs for hours

: "${ORDEAL:?the path of the built command}"
work=$(cd "$(mktemp -d)" && pwd -P)
trap 'rm -rf "$work"' EXIT
cd "$work"
unset CDPATH

fail() {
  printf '%s\n' "$*" >&2
  printf 'command: ordeal litmus %s\nexit code: %s\nstdout:\n%s\nstderr:\n%s\n' "${arguments-}" "${status-}" \
    "$(head -c 3000 stdout 2>/dev/null)" "$(head -c 3000 stderr 2>/dev/null)" >&2
  exit 1
}

run() {
  status=0
  arguments=$*
  timeout 120 "$ORDEAL" litmus "$@" >stdout 2>stderr || status=$?
}

exits() { [[ $status == "$1" ]] || fail "expected exit code $1, found $status"; }

# Times, as the reports print them.
masked() { sed -E 's/[0-9]+(\.[0-9]+)?(e[-+][0-9]+)? (µs|ms|s)( |,|$)/TIME\4/; s/ +TIME/ TIME/; s/"seconds":[-0-9.e]+/"seconds":TIME/' "$1"; }

same() { # WHAT FILE; the expected text on standard input
  local expected found
  expected=$(cat)
  found=$(masked "$2")
  [[ $found == "$expected" ]] || fail "$1 differs:"$'\n'"$(diff <(printf '%s\n' "$expected") <(printf '%s\n' "$found"))"
}
prints() { same stdout stdout; }
complains() { same stderr stderr; }
prints_nothing() { [[ ! -s stdout ]] || fail "unexpected output"; }
complains_not() { [[ ! -s stderr ]] || fail "unexpected complaint"; }

# has FILE TEXT: a line that contains the text, literally
has() { grep -qF -- "$2" "$1" || fail "$1 lacks: $2"; }

message_passing() {
  cat >"$1" <<END
C MP
{ x = 0; y = 0; }
P0 (atomic_int* x, atomic_int* y) {
  atomic_store_explicit(x, 1, memory_order_relaxed);
  atomic_store_explicit(y, 1, memory_order_relaxed);
}
P1 (atomic_int* x, atomic_int* y) {
  int r0 = atomic_load_explicit(y, memory_order_relaxed);
  int r1 = atomic_load_explicit(x, memory_order_relaxed);
}
$2
END
}

long_test() {
  {
    printf 'C %s\n{ x = 0; }\n' "$2"
    for thread in 0 1 2 3 4 5; do
      printf 'P%d (atomic_int* x) {\n' "$thread"
      for _ in 1 2 3 4; do printf '  atomic_fetch_add_explicit(x, 1, memory_order_relaxed);\n'; done
      printf '}\n'
    done
    printf 'exists (x=24)\n'
  } >"$1"
}
