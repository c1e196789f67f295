#!/usr/bin/env bash
# What `ordeal litmus` prints: herd's text for one test, a table for several, JSON lines, executions.
set -euo pipefail
. "$ORDEAL_SOURCE_DIR/tests/support/litmus.bash"

message_passing mp.litmus 'exists (1:r0=1 /\ 1:r1=0)'

# --- one test: the text of herd --------------------------------------------------------------------------------------------
run mp.litmus && exits 0
prints <<'END'
Test MP Allowed
States 4
1:r0=0; 1:r1=0;
1:r0=0; 1:r1=1;
1:r0=1; 1:r1=0;
1:r0=1; 1:r1=1;
Ok
Witnesses
Positive: 1 Negative: 3
Condition exists (1:r0=1 /\ 1:r1=0)
Observation MP Sometimes 1 3
Ordeal: 4 classes in TIME, model cpp20
END
run --model sc mp.litmus && exits 0
prints <<'END'
Test MP Allowed
States 3
1:r0=0; 1:r1=0;
1:r0=0; 1:r1=1;
1:r0=1; 1:r1=1;
No
Witnesses
Positive: 0 Negative: 3
Condition exists (1:r0=1 /\ 1:r1=0)
Observation MP Never 0 3
Ordeal: 3 classes in TIME, model sc
END
message_passing refuted.litmus '~exists (1:r0=1 /\ [x]=1)'
run refuted.litmus && exits 0
prints <<'END'
Test MP Forbidden
States 2
1:r0=0; [x]=1;
1:r0=1; [x]=1;
No
Witnesses
Positive: 2 Negative: 2
Condition ~exists (1:r0=1 /\ [x]=1)
Observation MP Sometimes 2 2
Ordeal: 4 classes in TIME, model cpp20
END

# A race: which lines, and that nothing else means anything.
cat >racy.litmus <<'END'
C racy
{ x = 0; }
P0 (int* x) {
  *x = 1;
}
P1 (int* x) {
  int r0 = *x;
}
forall (1:r0=0)
END
run racy.litmus && exits 0
prints <<'END'
Test racy Required
States 2
1:r0=0;
1:r0=1;
No
Witnesses
Positive: 1 Negative: 1
Flag data-race
Condition forall (1:r0=0)
Observation racy Sometimes 1 1
Ordeal: 2 classes in TIME, model cpp20
Racy: P0 writes x (line 4) and P1 reads x (line 7), unordered: undefined behaviour, the states mean nothing
END

# --- several tests: a table and a total ---------------------------------------------------------------------------------------
run mp.litmus refuted.litmus && exits 0
prints <<'END'
Test                            states       classes       time
MP    Allowed    Ok  Sometimes       4             4 TIME
MP    Forbidden  No  Sometimes       2             4 TIME
2 tests: 1 Ok, 1 No; 6 states, 8 classes in TIME, model cpp20
END
run --executions 2 --model rc11 mp.litmus racy.litmus && exits 3
prints <<'END'
Test                            states       classes       time
MP    Allowed    No  Never           2             2 TIME  bounded
racy  Required   No  Sometimes       2             2 TIME  racy
2 tests: 0 Ok, 2 No, 1 racy, 1 bounded; 4 states, 4 classes in TIME, model rc11
END

# --- JSON -----------------------------------------------------------------------------------------------------------------------
run --json mp.litmus && exits 0
prints <<'END'
{"version":1,"name":"MP","file":"mp.litmus","model":"cpp20","load_buffering":false,"verdict":"Sometimes","condition":"exists (1:r0=1 /\\ 1:r1=0)","holds":true,"positive":1,"negative":3,"states":[{"1:r0":0,"1:r1":0},{"1:r0":0,"1:r1":1},{"1:r0":1,"1:r1":0},{"1:r0":1,"1:r1":1}],"executions":4,"blocked":0,"racy":false,"bounds":[],"seconds":TIME}
END
run --json --load-buffering --executions 2 mp.litmus racy.litmus refuted.litmus && exits 3
python3 - stdout <<'END' || fail "the JSON is not what it should be"
import json, sys
lines = open(sys.argv[1], encoding="utf-8").read().splitlines()
tests = [json.loads(line) for line in lines]
assert len(tests) == 3, len(tests)
required = {"version": int, "name": str, "file": str, "model": str, "load_buffering": bool, "verdict": str, "condition": str, "holds": bool,
            "positive": int, "negative": int, "states": list, "executions": int, "blocked": int, "racy": bool,
            "bounds": list, "seconds": float}
for test in tests:
    for field, kind in required.items():
        assert isinstance(test[field], kind), (field, test.get(field))
    assert set(test) - set(required) <= {"race"}, set(test)
    assert test["load_buffering"] is True and test["model"] == "cpp20"
    assert 0 <= test["seconds"] < 60
mp, racy, refuted = tests
assert mp["bounds"] == ["stopped after 2 execution classes (--executions)"] and mp["executions"] == 2
assert racy["racy"] and racy["race"] == "P0 writes x (line 4) and P1 reads x (line 7)"
assert not mp["racy"] and "race" not in mp
assert refuted["states"][0] == {"1:r0": 0, "x": 1}
END

# --- --show: one table a class ------------------------------------------------------------------------------------------------------
run --show mp.litmus && exits 0
prints <<'END'
Class 1 of MP
      P0         P1
   a             y: 0 rlx, from init
   b             x: 0 rlx, from init
   c  x = 1 rlx
   d  y = 1 rlx

Class 2 of MP
      P0         P1
   a  x = 1 rlx
   b             y: 0 rlx, from init
   c             x: 1 rlx, from a
   d  y = 1 rlx

Class 3 of MP
      P0         P1
   a  x = 1 rlx
   b  y = 1 rlx
   c             y: 1 rlx, from b
   d             x: 0 rlx, from init (not a)

Class 4 of MP
      P0         P1
   a  x = 1 rlx
   b  y = 1 rlx
   c             y: 1 rlx, from b
   d             x: 1 rlx, from a

Test MP Allowed
States 4
1:r0=0; 1:r1=0;
1:r0=0; 1:r1=1;
1:r0=1; 1:r1=0;
1:r0=1; 1:r1=1;
Ok
Witnesses
Positive: 1 Negative: 3
Condition exists (1:r0=1 /\ 1:r1=0)
Observation MP Sometimes 1 3
Ordeal: 4 classes in TIME, model cpp20
END

# As many tables as classes, none twice, blocked executions apart.
cat >weak.litmus <<'END'
C weak
{ x = 0; y = 0; }
P0 (atomic_int* x, atomic_int* y) {
  int e = 0;
  int r0 = atomic_compare_exchange_weak_explicit(x, &e, 1, memory_order_acq_rel, memory_order_relaxed);
  atomic_store_explicit(y, 1, memory_order_relaxed);
}
P1 (atomic_int* x, atomic_int* y) {
  int r0 = 0;
  while (r0 == 0) r0 = atomic_load_explicit(y, memory_order_relaxed);
  int r1 = atomic_fetch_add_explicit(x, 1, memory_order_relaxed);
}
exists (0:r0=0 /\ 1:r1=0)
END
run --show --loop-bound 2 weak.litmus && exits 3
classes=$(sed -nE 's/^Ordeal: ([0-9]+) classes in .*/\1/p' stdout)
blocked=$(sed -nE 's/^Ordeal: .* ([0-9]+) blocked$/\1/p' stdout)
[[ $(grep -c '^Class [0-9]* of weak$' stdout) == "$classes" ]] || fail "not as many tables as classes"
[[ $(grep -c '^Blocked execution [0-9]* of weak$' stdout) == "$blocked" ]] || fail "not as many tables as blocked executions"
((classes >= 4 && blocked > 0)) || fail "too few classes"
different=$(awk -v RS= '/^(Class|Blocked)/ { sub(/^[^\n]*\n/, ""); print }' ORS='\n\n' stdout | awk -v RS= '{ seen[$0] = 1 } END { print length(seen) }')
((different == classes + blocked)) || fail "$different different tables"

# --- --no-spurious --------------------------------------------------------------------------------------------------------------------
run weak.litmus
has stdout '0:r0=0; 1:r1=0;'
run --show --no-spurious weak.litmus
grep -q 'failed spuriously' stdout && fail "a spurious failure with --no-spurious"
grep -qF '0:r0=0; 1:r1=0;' stdout && fail "the state of a spurious failure with --no-spurious"
has stdout 'Observation weak Never'
run --show weak.litmus
has stdout 'x: 0 (failed spuriously) rlx, from init'

# --- nobody reads on --------------------------------------------------------------------------------------------------------------------
long_test long.litmus long
set +o pipefail
[[ $(timeout 60 "$ORDEAL" litmus --show long.litmus 2>stderr | head -n 1) == 'Class 1 of long' ]] || fail "no first line"
complains_not
[[ $(timeout 60 "$ORDEAL" litmus mp.litmus | head -n 1) == 'Test MP Allowed' ]] || fail "no first line"
# Not even where the signal for that is ignored.
first=$(
  trap '' PIPE
  timeout 60 "$ORDEAL" litmus --show long.litmus 2>stderr | head -n 1
  echo "${PIPESTATUS[0]}"
)
[[ $first == $'Class 1 of long\n2' ]] || fail "found: $first"
has stderr 'ordeal: cannot write to standard output'
