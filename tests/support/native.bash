# Sourced by script tests of `ordeal cc`, `c++`, `check` and `replay`: makes an empty folder to work in, and a tree like an installed one
# with the command, its headers and a runtime. Gives
#
#   ordeal                the path of the command; $tree is what has bin, lib, include
#   use_stub              from now on the runtime is tests/support/stub_runtime.c (also where none is built)
#   run COMMAND…          runs it; then `status`, and its output in the files stdout and stderr
#   exits CODE, has FILE TEXT, has_not FILE TEXT, fail MESSAGE, prints_nothing, complains_not

: "${ORDEAL:?the path of the built command}" "${ORDEAL_SOURCE_DIR:?the root of the sources}"
work=$(cd "$(mktemp -d)" && pwd -P)
trap 'rm -rf "$work"' EXIT
cd "$work"
unset CDPATH ORDEAL_CC ORDEAL_CXX ORDEAL_OPTIONS CXX CC CFLAGS CXXFLAGS LDFLAGS NO_COLOR
export XDG_CACHE_HOME=$work/cache LC_ALL=C.UTF-8 TMPDIR=$work/tmp
mkdir tmp

fail() {
  printf '%s\n' "$*" >&2
  printf 'command: %s\nexit code: %s\nstdout:\n%s\nstderr:\n%s\n' "${arguments-}" "${status-}" \
    "$(head -c 3000 stdout 2>/dev/null)" "$(head -c 3000 stderr 2>/dev/null)" >&2
  exit 1
}

use_stub() {
  tree=$work/tree
  [[ -e $tree ]] && return
  mkdir -p "$tree/bin" "$tree/lib/ordeal"
  cp "$ORDEAL" "$tree/bin/ordeal"
  ln -s ordeal "$tree/bin/ordeal-cc"
  ln -s ordeal "$tree/bin/ordeal-c++"
  ln -s "$ORDEAL_SOURCE_DIR/include" "$tree/include"
  gcc -O1 -fPIC -shared -w -Wl,-soname,libordeal.so "$ORDEAL_SOURCE_DIR/tests/support/stub_runtime.c" -o "$tree/lib/ordeal/libordeal.so"
  ordeal=$tree/bin/ordeal
}
tree=${ORDEAL%/bin/ordeal}
ordeal=$ORDEAL
[[ -e $tree/lib/ordeal/libordeal.so ]] || use_stub

run() {
  status=0
  arguments=$*
  timeout 120 "$@" >stdout 2>stderr || status=$?
}

exits() { [[ $status == "$1" ]] || fail "expected exit code $1, found $status"; }
has() { grep -qF -- "$2" "$1" || fail "$1 lacks: $2"; }
has_not() { ! grep -qF -- "$2" "$1" || fail "$1 has: $2"; }
prints_nothing() { [[ ! -s stdout ]] || fail "unexpected output"; }
complains_not() { [[ ! -s stderr ]] || fail "unexpected complaint"; }
no_temporaries() { [[ -z $(ls -A "$TMPDIR") ]] || fail "left behind: $(ls -A "$TMPDIR")"; }
