#!/usr/bin/env bash
# `check --json` and `--full` say of turns of loops that are explored which condition kept them. Most conditions have a program of their own, tests/native/loop_kept_*;
# here is what needs code that was not instrumented, options, or a look at the JSON.
set -euo pipefail
. "$ORDEAL_SOURCE_DIR/tests/support/native.bash"
if [[ $tree == "$work/tree" ]]; then
  echo "skipped: there is no runtime beside the command"
  exit 0
fi
native=$ORDEAL_SOURCE_DIR/tests/native
kept() { python3 -c 'import json, os, sys
for turn in json.load(sys.stdin)["kept_turns"]:
  because = turn.get("because", {})
  print(os.path.basename(turn["file"]), turn["line"], turn["operation"], turn["condition"], os.path.basename(because.get("file", "-")), because.get("line", "-"), *sys.argv[1:] and [turn["times"]])' "$@" <stdout; }
shows() { # LINE: one of those in the JSON
  kept >list
  grep -qxF -- "$1" list || fail "not kept: $1; but:
$(<list)"
}

# The fields; the same list each time; nothing of it without --full, nor where nothing is left out.
run "$ordeal" check "$native/loop_kept_acquire_ok.cpp" --json && exits 0
python3 -B "$ORDEAL_SOURCE_DIR/tests/formats/validate.py" json stdout 2>complaint || fail "$(<complaint)"
shows 'loop_kept_acquire_ok.cpp 20 compare-exchange acquire loop_kept_acquire_ok.cpp 19'
has stdout '"why":"the load at line 19 acquires, the failed compare-exchange does not"'
kept times >first
run env FURTHER=aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa "$ordeal" check "$native/loop_kept_acquire_ok.cpp" --json && exits 0
kept times >second
cmp first second || fail "another list"
run "$ordeal" check "$native/loop_kept_acquire_ok.cpp" && exits 0 && has_not stdout 'turns of loops'
run "$ordeal" check "$native/loop_kept_acquire_ok.cpp" --json --no-reduction --loop-bound 5 && has stdout '"kept_turns":[]'
# A loop without a turn that is kept: it waits.
run "$ordeal" check "$native/loop_ttas_three_ok.cpp" --json && exits 0 && kept >list
! grep -q ' load .*own-state' list || fail "$(<list)"

# Code that was not instrumented.
echo 'int plain; void write_hidden(int value) { plain = value; }' >hidden.cpp
g++ -O1 -c hidden.cpp
cat >user.cpp <<'END'
#include <atomic>
#include <thread>
void write_hidden(int);
std::atomic<int> x;
int most = 3;
int main() {
  std::thread a([] {
    for (int i = 0; i < most; ++i) {
      if (x.load(std::memory_order_relaxed) != 0) break;
      write_hidden(1);
    }
  });
  std::thread b([] { x.store(1, std::memory_order_relaxed); });
  a.join();
  b.join();
}
END
for level in -O0 -O2; do
  run "$ordeal" check user.cpp --json -- $level hidden.o && exits 0
  shows 'user.cpp 9 load hidden-code - -'
done

# A call by pointer: what is behind it is not known.
cat >pointer.cpp <<'END'
#include <atomic>
#include <thread>
int next(int value) { return value + 2; }
int (*volatile change)(int) = next;
std::atomic<int> x;
int main() {
  std::thread a([] {
    int seen = x.load(std::memory_order_relaxed);
    while (!x.compare_exchange_strong(seen, change(seen), std::memory_order_relaxed, std::memory_order_relaxed)) {
    }
  });
  std::thread b([] { x.store(1, std::memory_order_relaxed); });
  a.join();
  b.join();
}
END
for level in -O0 -O2; do
  run "$ordeal" check pointer.cpp --json -- $level && exits 0
  shows 'pointer.cpp 9 compare-exchange unknown-code - -'
done

# A rule that is not used.
run "$ordeal" check "$native/loop_kept_acquire_ok.cpp" --json --load-buffering && exits 0
shows 'loop_kept_acquire_ok.cpp 20 compare-exchange load-buffering - -'
