#!/usr/bin/env bash
# Every bug that `ordeal check` finds in programs with waiting loops, `ordeal replay` shows again: the same first line.
# (Threads that wait for a value are where the list of choices ends; run again, loops may be recognised in another turn, locations
# come up in another order, and another thread may be the first to find a race.)
set -euo pipefail
. "$ORDEAL_SOURCE_DIR/tests/support/native.bash"
if [[ $tree == "$work/tree" ]]; then
  echo "skipped: there is no runtime beside the command"
  exit 0
fi

cat >ticket.cpp <<'END'
#include <atomic>
#include <cassert>
#include <thread>
std::atomic<int> next, serving, x;
void work(int k) {
  const int mine = next.fetch_add(1, std::memory_order_relaxed);
  while (serving.load(std::memory_order_acquire) != mine) {
  }
  const int old = x.load(std::memory_order_relaxed);
  x.store(old + k, std::memory_order_relaxed);
  assert(!(mine == 1 && old == 8));
  serving.store(mine + 1, std::memory_order_release);
}
int main() {
  std::thread a(work, 1), b(work, 2), c(work, 4), d(work, 8);
  a.join(), b.join(), c.join(), d.join();
}
END

replays() {
  run "$ordeal" check --output found.replay "$@" && exits 1
  grep -m 1 . stdout >first
  run "$ordeal" replay found.replay && exits 1
  [[ $(grep -m 1 . stdout) == "$(<first)" ]] || fail "replay shows another bug than: $(<first)"
}

replays ticket.cpp -- -O2
replays ticket.cpp -- -O0
for program in "$ORDEAL_SOURCE_DIR"/tests/native/spin_learnt_*_bug.cpp; do
  replays "$program" -- -O2
done

# A source that has changed since: what is replayed is the program as it was, and that is said.
cat >old.cpp <<'END'
#include <thread>
int x;
int main() {
  std::thread t([] { x = 1; });
  x = 2;
  t.join();
}
END
run "$ordeal" check --output old.replay old.cpp && exits 1
for verb in 'report' 'replay'; do
  run "$ordeal" $verb old.replay && has_not stdout 'is newer than the program'
done
touch -d '+1 hour' old.cpp
for verb in 'report' 'replay' 'report --json'; do
  run "$ordeal" $verb old.replay && has stdout "'old.cpp' is newer than the program, which is the one that was checked: lines may have moved"
done
run "$ordeal" replay --step old.replay && exits 1 && has stderr "'old.cpp' is newer than the program"
run "$ordeal" report . && exits 2 && has stderr "cannot read '.': it is a folder"

# A hundred programs are kept, and longer those that a replay file needs: it has no names without them.
run "$ordeal" check --output kept.replay old.cpp -- -O1 -g -DKEPT && exits 1
echo 'int main() {}' >fine.cpp
run "$ordeal" check fine.cpp && exits 0
programs() { find "$XDG_CACHE_HOME/ordeal" -mindepth 2 -name "$1" | wc -l; }
[[ $(programs fine) == 1 ]] || fail "it is not kept"
touch -d '-2 hours' "$XDG_CACHE_HOME"/ordeal/*
mkdir "$XDG_CACHE_HOME"/ordeal/filler-{1..250}
echo 'int main() { return 0; }' >other.cpp
run "$ordeal" check other.cpp && exits 0
[[ $(programs fine) == 0 ]] || fail "it is kept for ever"
run "$ordeal" report kept.replay && exits 0 && has stdout "data race on 'x'"
run "$ordeal" replay kept.replay && exits 1
