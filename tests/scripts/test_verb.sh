#!/usr/bin/env bash
# `ordeal test`: verdicts, exit codes, JSON, seeds and ranges, replay files, programs started by themselves, bad input.
set -euo pipefail
. "$ORDEAL_SOURCE_DIR/tests/support/native.bash"
[[ $tree != "$work/tree" ]] || exit 0 # no runtime here
examples=$ORDEAL_SOURCE_DIR/examples/check

field() { python3 -c 'import json, sys; d = json.load(open("stdout")); print(eval(sys.argv[1]))' "$1"; }

# --- verdicts and exit codes ---------------------------------------------------------------------------------------------------
run "$ordeal" test "$examples/message_fixed.cpp" && exits 0
has stdout 'sampled: no bug in 1,000 executions of'
has stdout '(seed 1, strategy portfolio, at most 3 threads, '
[[ -z $(ls ./*.replay 2>/dev/null) ]] || fail "a replay file without a bug"
run "$ordeal" test "$examples/message_bug.cpp" && exits 1
has stdout "data race on 'message': thread "
has stdout '#0 receive '
has stdout '#0 send '
has stdout 'To see it again: ordeal replay ordeal-message_bug-data-race.replay'
run "$ordeal" test --quiet --executions 10 "$examples/message_bug.cpp" && exits 1
[[ $(wc -l <stdout) == 1 ]] || fail "--quiet"
for program in "$examples"/*_bug.c*; do run "$ordeal" test --quiet "$program" && exits 1; done
for program in "$examples"/*_fixed.c*; do run "$ordeal" test --quiet "$program" && exits 0; done
rm ./*.replay

# --- what stands where ---------------------------------------------------------------------------------------------------------
cat >arguments.cpp <<'END'
#include <cstdio>
#include <cstring>
#include <thread>
int main(int argc, char** argv) {
  std::thread([] {}).join();
  std::printf("hello %s\n", argc > 1 ? argv[1] : "");
  return argc > 1 && std::strcmp(argv[1], "fail") == 0 ? 3 : 0;
}
END
run "$ordeal" test --executions 20 arguments.cpp -- -O0 -- fail && exits 0
has_not stdout hello
has_not stderr hello
run "$ordeal" test --exit-code --executions 20 arguments.cpp -- -O0 -- fail && exits 1
has stdout 'the program ended with failure'
has stdout '  | hello fail'
has stdout 'In 20 of 20 executions (100.0 %), first in number 0.'
run "$ordeal" test --exit-code --executions 20 arguments.cpp -- -O0 -- well && exits 0
"$ordeal" c++ -g arguments.cpp -o program
run "$ordeal" test --exit-code --executions 5 ./program fail --executions 7 && exits 1
has stdout 'of 5 executions'

# --- JSON, the same seed, ranges -----------------------------------------------------------------------------------------------
cat >rare.cpp <<'END'
#include <atomic>
#include <cassert>
#include <thread>
std::atomic<int> x, y;
int a, b, plain;
int main() {
  std::thread one([] { x.store(1, std::memory_order_relaxed); a = y.load(std::memory_order_relaxed); });
  std::thread two([] { y.store(1, std::memory_order_relaxed); b = x.load(std::memory_order_relaxed); if (b == 0) plain = 1; });
  if (x.load(std::memory_order_relaxed) == 1) plain = 2;
  one.join(), two.join();
  assert(a != 0 || b != 0);
}
END
# Which side of a race is told first is a matter of the execution.
counts='sorted((b["kind"], sorted(t["line"] for t in b["threads"]), b["count"], b["first"]) for b in d["bugs"])'
run "$ordeal" test --json --executions 600 --seed 5 rare.cpp && exits 1
whole=$(field "$counts")
[[ $(field 'd["verdict"], d["executions"], d["seed"], d["first"], d["strategy"]') == "('bug', 600, 5, 0, 'portfolio')" ]] || fail "JSON"
[[ $(field 'all(b["rate"] == b["count"] / 600 and b["replay"] and b["threads"][0]["stack"][0]["line"] for b in d["bugs"])') == True ]] || fail "bugs in JSON"
[[ $(field 'sorted(set(b["kind"] for b in d["bugs"]))') == "['assertion', 'data-race']" ]] || fail "which bugs?"
run "$ordeal" test --json --executions 600 --seed 5 rare.cpp
[[ $(field "$counts") == "$whole" ]] || fail "the same seed, another result"
run "$ordeal" test --json --executions 600 --seed 6 rare.cpp
[[ $(field "$counts") != "$whole" ]] || fail "another seed, the same result"
run "$ordeal" test --json --executions 250 --seed 5 rare.cpp && cp stdout first
run "$ordeal" test --json --executions 350 --first 250 --seed 5 rare.cpp && cp stdout second
python3 - "$whole" <<'END' || fail "two ranges are not their union"
import json, sys
counts, firsts = {}, {}
for name in ("first", "second"):
    for bug in json.load(open(name))["bugs"]:
        key = (bug["kind"], tuple(sorted(thread["line"] for thread in bug["threads"])))
        counts[key] = counts.get(key, 0) + bug["count"]
        firsts[key] = min(firsts.get(key, 10**9), bug["first"])
assert str(sorted((k[0], list(k[1]), counts[k], firsts[k]) for k in counts)) == sys.argv[1], (counts, sys.argv[1])
END

# --- replay --------------------------------------------------------------------------------------------------------------------
rm -f ./*.replay
run "$ordeal" test --executions 600 --seed 5 rare.cpp && exits 1
grep -q '^assertion failed' stdout || fail "no assertion"
for file in ./*.replay; do
  run "$ordeal" report "$file" && exits 0
  grep -m 1 . stdout >told
  run "$ordeal" replay "$file" && exits 1
  [[ $(grep -m 1 . stdout) == "$(<told)" ]] || fail "replay of $file shows another bug than: $(<told)"
  has stdout 'In the only execution, which is number '
done
[[ $(ls ./*.replay | wc -l) -ge 2 ]] || fail "a replay file for each bug"
"$ordeal" c++ -g -std=c++20 rare.cpp -o rare
run "$ordeal" test --executions 600 --output kept.replay ./rare && exits 1
"$ordeal" c++ -g -std=c++20 -DCHANGED -O2 rare.cpp -o rare
run "$ordeal" replay kept.replay && exits 4 && has stderr "the program has changed since 'kept.replay' was written"
rm rare
run "$ordeal" replay kept.replay && exits 4 && has stderr 'is not there any more'

# --- a program that was started by itself ----------------------------------------------------------------------------------------
"$ordeal" c++ -g -std=c++20 "$examples/message_bug.cpp" -o message
run env ORDEAL_OPTIONS=mode=test:executions=100 ./message && exits 66 && prints_nothing
has stderr "data race on 'message'"
has stderr 'In 100 of 100 executions (100.0 %), first in number 0'
has stderr 'To see it again: ordeal test --seed 1 --first '
read -r -a again < <(sed -n 's/^To see it again: ordeal //p' stderr)
run "$ordeal" "${again[@]}" && exits 1
has stdout "data race on 'message'"
has stdout "In the only execution, which is number ${again[4]}."
"$ordeal" c++ -g -std=c++20 "$examples/message_fixed.cpp" -o message
run env ORDEAL_OPTIONS=mode=test:executions=100:seed=9:strategy=pct:2 ./message && exits 0
has stderr 'sampled: no bug in 100 executions of ./message (seed 9, strategy pct:2,'
run env ORDEAL_OPTIONS=mode=test:strategy=wrong ./message && exits 2 && has stderr "'strategy=wrong' is not understood"
run env ORDEAL_OPTIONS=help=1 ./message && exits 0
for key in mode strategy seed first exit_code isolate real_time executions time watchdog max_events spurious; do has stderr "$key="; done

# --- bounds --------------------------------------------------------------------------------------------------------------------
run "$ordeal" test --max-events 2 "$examples/message_fixed.cpp" && exits 3 && has stdout 'cut short: --max-events 2, which no execution kept'
# Only what the limit cut is said to be cut by it: not what ends at a race with a free, or because the program does not want it.
cat >ends_early.cpp <<'END'
#include <ordeal/ordeal.h>
#include <atomic>
#include <thread>
#ifdef FREES
struct Node { std::atomic<int> uses{1}; int value = 0; };
std::atomic<Node*> shared{new Node};
int main() {
  std::thread other([] { delete shared.load(std::memory_order_relaxed); });
  shared.load(std::memory_order_relaxed)->value = 1;
  other.join();
}
#else
std::atomic<int> x{0};
int main() {
  std::thread other([] { x.store(1); });
  const int seen = x.load();
  other.join();
  ordeal_assume(seen == WANTED);
}
#endif
END
run "$ordeal" test ends_early.cpp -- -O1 -g -DFREES && exits 1 && has_not stdout '--max-events'
run "$ordeal" test ends_early.cpp -- -O1 -g -DWANTED=1 && exits 0 && has_not stdout '--max-events' && has stdout 'note: ordeal_assume ended '
for how in --in-place --isolate; do
  run "$ordeal" test $how --executions 50 ends_early.cpp -- -O1 -g -DWANTED=7 && exits 3 && has stdout 'cut short: ordeal_assume, which no execution kept' && has_not stdout '--max-events'
done
# A use of what another thread has freed: the table has what that thread did before.
cat >freed_by_other.cpp <<'END'
#include <atomic>
#include <thread>
std::atomic<int> gone{0};
std::atomic<int>* block = new std::atomic<int>{0};
int main() {
  std::thread other([] {
    gone.fetch_add(1);
    delete block;
  });
  if (gone.load() == 0)
    block->fetch_add(1);
  other.join();
}
END
run "$ordeal" test freed_by_other.cpp && exits 1
[[ $(sed -n '/^use after free/,/^In /p' stdout) == *'gone: 0 -> 1 sc'*freed_by_other.cpp:7*'>'*freed_by_other.cpp:11* ]] || fail "what the other thread did is not shown"
[[ $(tr -s '\n ' ' ' <stdout) == *"use after free (race between free and access) on 'atomic<int>': main atomically writes at freed_by_other.cpp:11, thread 1 frees it at freed_by_other.cpp:8"* ]] || fail "nothing orders them: a race"
# The other way round it is called what it is, too: the one that frees does not write.
cat >freed_behind.cpp <<'END'
#include <atomic>
#include <thread>
std::atomic<bool> used;
std::atomic<int>* block = new std::atomic<int>{0};
int main() {
  std::thread other([] {
    if (used.load(std::memory_order_relaxed))
      delete block;
  });
  block->fetch_add(1);
  used.store(true, std::memory_order_relaxed);
  other.join();
}
END
run "$ordeal" test freed_behind.cpp && exits 1
[[ $(tr -s '\n ' ' ' <stdout) == *"use after free (race between free and access) on 'atomic<int>': thread 1 frees it at freed_behind.cpp:8, main atomically writes at freed_behind.cpp:10"* ]] || fail "a free that is no free"
run "$ordeal" test --time 0.2 --quiet "$examples/message_fixed.cpp" && exits 0 && has stdout 'sampled: '
cat >endless.cpp <<'END'
#include <atomic>
#include <thread>
std::atomic<int> x;
int main() {
  std::thread t([] { for (;;) x.fetch_add(1, std::memory_order_relaxed); });
  t.join();
}
END
run "$ordeal" test --time 0.5 endless.cpp && exits 3 && has stdout 'cut short: --time, before the first execution had ended'
status=0
# The signal reaches this process alone, and its first execution is in a process of its own.
timeout --signal KILL 100 timeout --signal INT --foreground 3 "$ordeal" test --time 1000 endless.cpp >stdout 2>stderr || status=$?
[[ $status == 3 || $status == 124 ]] || fail "interrupted"
has stdout 'cut short: interrupted'

# --- bad input -----------------------------------------------------------------------------------------------------------------
refuses() { # MESSAGE ARGUMENT…
  run "$ordeal" test "${@:2}"
  exits 2
  has stderr "$1"
  prints_nothing
}
refuses "there is no 'wrong'; choose one of: random, pct, pct:DEPTH (1 to 100), portfolio, or FILE.so" --strategy wrong rare.cpp
refuses "there is no file './none.so'" --strategy ./none.so rare.cpp
refuses "there is no file 'none.cpp'" none.cpp
refuses "cannot read the suppressions 'none'" --suppressions none rare.cpp
refuses "'x' is not a whole number" --seed x rare.cpp
refuses "'0' is not a whole number above 0" --executions 0 rare.cpp
refuses 'unknown option --model' --model sc rare.cpp
refuses 'FILE is missing'
run "$ordeal" test /bin/true && exits 4

# The two counters of a shared_ptr have names of their own: they are no two objects.
cat >counters.cpp <<'END'
#include <atomic>
#include <memory>
#include <thread>
std::shared_ptr<int> shared = std::make_shared<int>(3);
std::atomic<bool> ready{false};
int main() {
  std::thread other([] {
    shared = nullptr;
    ready.store(true, std::memory_order_relaxed);
  });
  if (ready.load(std::memory_order_relaxed) && shared != nullptr) return 1;
  other.join();
}
END
run "$ordeal" test --executions 300 counters.cpp && exits 1
has stdout 'use count of shared_ptr<int>: 1 -> 0'
has stdout 'weak count of shared_ptr<int>: 1 -> 0'
has_not stdout '#2'
