#!/usr/bin/env bash
# `ordeal test --volatile`: what volatile accesses are; and that loops that wait for volatile variables end.
set -euo pipefail
. "$ORDEAL_SOURCE_DIR/tests/support/native.bash"
[[ $tree != "$work/tree" ]] || exit 0 # no runtime here

cat >flag.cpp <<'END'
#include <thread>
volatile int flag;
int data;
int main() {
  std::thread sender([] {
    data = 42;
    flag = 1;
  });
  while (flag == 0) {
  }
  const int seen = data;
  sender.join();
  return seen == 42 ? 0 : 1;
}
END
for flags in -O0 -O2; do
  run "$ordeal" test --executions 200 flag.cpp -- $flags && exits 1
  has stdout "data race on 'flag'"
  has stdout "data race on 'data'"
  run "$ordeal" test --executions 200 --volatile relaxed flag.cpp -- $flags && exits 1
  has_not stdout "data race on 'flag'"
  has stdout "data race on 'data'"
  run "$ordeal" test --executions 200 --volatile acq-rel flag.cpp -- $flags && exits 0
  has stdout 'sampled: no bug in 200 executions'
done

# Volatile and atomic accesses to one object are no race then, volatile and plain ones are.
cat >mixed.cpp <<'END'
#include <atomic>
#include <thread>
int word, plain;
int main() {
  std::thread other([] {
    __atomic_store_n(&word, 1, __ATOMIC_RELAXED);
    plain = 1;
  });
  (void)*const_cast<volatile int*>(&word);
  (void)*const_cast<volatile int*>(&plain);
  other.join();
}
END
run "$ordeal" test --executions 200 --volatile relaxed mixed.cpp && exits 1
has stdout "data race on 'plain'"
has_not stdout "data race on 'word'"
run "$ordeal" test --executions 200 mixed.cpp && exits 1
has stdout "data race on 'word'"
