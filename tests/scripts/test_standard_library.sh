#!/usr/bin/env bash
# `ordeal test` finds nothing in correct programs that wait by the standard library's means: those of tests/native that are verified by `ordeal check`.
set -euo pipefail
. "$ORDEAL_SOURCE_DIR/tests/support/native.bash"
if [[ $tree == "$work/tree" ]]; then
  echo "skipped: there is no runtime beside the command"
  exit 77
fi

for name in semaphore_ok semaphore_try_ok barrier_ok barrier_functions_ok latch_ok latch_try_ok stop_token_ok jthread_ok \
  condition_any_stop_ok condition_freed_ok atomic_wait_ok shared_future_exception_ok exception_caught_by_two_ok; do
  run "$ordeal" test "$ORDEAL_SOURCE_DIR/tests/native/$name.cpp"
  exits 0
  has stdout 'sampled: no bug in 1,000 executions'
done
