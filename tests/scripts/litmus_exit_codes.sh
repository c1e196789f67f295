#!/usr/bin/env bash
# What `ordeal litmus` exits with: 0 all ran, 1 with --expect if a test does not behave as it says, 3 if a bound cut it.
set -euo pipefail
. "$ORDEAL_SOURCE_DIR/tests/support/litmus.bash"

message_passing sometimes.litmus 'exists (1:r0=1 /\ 1:r1=0)'
message_passing never.litmus 'exists (1:r0=2)'
message_passing refuted.litmus '~exists (1:r0=1 /\ 1:r1=0)'
message_passing true.litmus '~exists (1:r0=2)'
message_passing not-always.litmus 'forall (1:r0=1)'
message_passing always.litmus 'forall (1:r0=0 \/ 1:r0=1)'
cat >racy.litmus <<'EOF'
C racy
{ x = 0; }
P0 (int* x) { *x = 1; }
P1 (int* x) { int r0 = *x; }
exists (1:r0=2)
EOF
cat >spin.litmus <<'EOF'
C spin
{ x = 0; }
P0 (atomic_int* x) {
  int r0 = 0;
  while (r0 == 0) r0 = atomic_load_explicit(x, memory_order_relaxed);
}
P1 (atomic_int* x) { atomic_store_explicit(x, 1, memory_order_relaxed); }
forall (0:r0=1)
EOF

# Without --expect every outcome is fine.
for test in sometimes never refuted true not-always always racy; do
  run "$test.litmus" && exits 0
  complains_not
done

# With --expect a test must behave as it says; that an `exists` is never seen is no failure.
for test in sometimes never true always; do run --expect "$test.litmus" && exits 0; done
for test in refuted not-always racy; do run --expect "$test.litmus" && exits 1; done

# One of several is enough.
run --expect sometimes.litmus refuted.litmus true.litmus && exits 1
run --expect sometimes.litmus true.litmus && exits 0
run --expect --json sometimes.litmus racy.litmus && exits 1

# A loop that was cut: bounded, unless something unexpected was found.
run spin.litmus && exits 3
has stdout 'Bounded: a loop ran 8 times and was cut (--loop-bound)'
run --loop-bound 2 spin.litmus && exits 3
has stdout 'Bounded: a loop ran 2 times and was cut (--loop-bound)'
run --expect spin.litmus && exits 3
run --expect sometimes.litmus spin.litmus && exits 3
run --expect spin.litmus refuted.litmus && exits 1
run --json spin.litmus && exits 3
has stdout '"bounds":["a loop ran 8 times and was cut (--loop-bound)"]'

# Limits. All four classes are explored when four are allowed.
run --executions 2 sometimes.litmus && exits 3
has stdout 'Bounded: stopped after 2 execution classes (--executions)'
has stdout 'Ordeal: 2 classes in '
run --executions 4 sometimes.litmus && exits 0
run --executions 3 --expect sometimes.litmus true.litmus && exits 3
long_test long.litmus long
SECONDS=0
run --time 0.2 long.litmus && exits 3
has stdout 'Bounded: stopped after 0.2 s (--time)'
((SECONDS < 30)) || fail "--time 0.2 took $SECONDS s"
# Also where an execution takes long.
{
  printf 'C slow\n{}\n'
  for thread in 0 1 2 3; do
    printf 'P%d (atomic_int* x, atomic_int* y) {\n' "$thread"
    for ((i = 0; i < 150; ++i)); do
      printf '  atomic_store_explicit(x, %d, memory_order_relaxed); r%d = atomic_load_explicit(y, memory_order_relaxed);\n' "$i" "$i"
      printf '  atomic_store_explicit(y, %d, memory_order_relaxed);\n' "$i"
    done
    printf '}\n'
  done
  printf 'exists (x=1)\n'
} >slow.litmus
SECONDS=0
run --time 0.2 slow.litmus && exits 3
has stdout 'Bounded: stopped after 0.2 s (--time)'
((SECONDS < 5)) || fail "--time 0.2 took $SECONDS s"
run --executions 100000 long.litmus && exits 3
has stdout 'Ordeal: 100,000 classes in '

# The same for each model.
for model in cpp20 rc11 sc tso; do
  run --model "$model" sometimes.litmus && exits 0
  has stdout ", model $model"
done
run --model sc --expect refuted.litmus && exits 0
run --model tso --expect refuted.litmus && exits 0
