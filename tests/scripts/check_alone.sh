#!/usr/bin/env bash
# A program built by `ordeal c++` and started by itself: its own output once, the report on stderr, exit code 66; `ordeal report`
# and `ordeal check --show` with a real runtime.
set -euo pipefail
. "$ORDEAL_SOURCE_DIR/tests/support/native.bash"
if [[ $tree == "$work/tree" ]]; then
  echo "skipped: there is no runtime beside the command"
  exit 0
fi

cat >racy.cpp <<'END'
#include <cstdio>
#include <thread>
int x;
int main() {
  std::puts("hello");
  std::thread a([] { x = 1; });
  x = 2;
  a.join();
}
END
"$ordeal" c++ -g racy.cpp -o racy
run ./racy && exits 66
[[ $(<stdout) == hello ]] || fail "the program's output is not there once"
has stderr "data race on 'x': thread 1 writes at racy.cpp:6, main writes at racy.cpp:7"
has stderr '>     writes x'
has stderr 'bug: 1 bug in 1 execution of ./racy, model cpp20'
has stderr 'to explore them all: ordeal check ./racy'

# Without the command beside the library there is a line at least.
mkdir -p moved/lib/ordeal && cp "$tree/lib/ordeal/libordeal.so" moved/lib/ordeal
LD_LIBRARY_PATH=$PWD/moved/lib/ordeal run ./racy && exits 66
has stderr 'ordeal: data-race'
has stderr 'to explore them all: ordeal check ./racy'

run "$ordeal" check racy.cpp && exits 1
cp stdout checked
run "$ordeal" report ordeal-racy-data-race.replay && exits 0
has stdout "$(head -n 1 checked)"
run "$ordeal" report racy.cpp && exits 2 && has stderr "'racy.cpp' is no replay file"
run "$ordeal" report none && exits 2 && has stderr "cannot read 'none'"

cat >both.cpp <<'END'
#include <atomic>
#include <thread>
std::atomic<int> x;
int main() {
  std::thread a([] { x = 1; });
  x.load();
  a.join();
}
END
run "$ordeal" check --show both.cpp && exits 0
has stdout 'execution 1'
has stdout 'x: 0 sc, from init'
has stdout 'execution 2'
has stdout 'x: 1 sc, from'
has_not stdout 'execution 3'
run "$ordeal" check both.cpp && exits 0 && has_not stdout 'execution 1'
