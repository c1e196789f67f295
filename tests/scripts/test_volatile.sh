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

# A volatile access and an atomic one of the same object synchronise as two atomic ones do, whichever of them stores.
cat >lock.c <<'END'
#include <pthread.h>
static unsigned lock;
static int data;
static void* enter(void* unused) {
  while (!__sync_bool_compare_and_swap(&lock, 0, 1)) {
  }
  ++data;
  *(volatile unsigned*)&lock = 0;
  return unused;
}
int main(void) {
  pthread_t threads[3];
  for (int i = 0; i < 3; ++i) pthread_create(&threads[i], 0, enter, 0);
  for (int i = 0; i < 3; ++i) pthread_join(threads[i], 0);
  return data != 3;
}
END
run "$ordeal" test --executions 200 --volatile acq-rel --exit-code lock.c && exits 0
run "$ordeal" test --executions 200 --volatile relaxed lock.c && exits 1
has stdout 'the store is relaxed, not release'
has stdout 'lock = 0 rlx'
has stdout 'lock: 0 -> 1 sc, from '

cat >reader.c <<'END'
#include <pthread.h>
static int flag, data;
static void* send(void* unused) {
  data = 42;
  __atomic_store_n(&flag, 1, ORDER);
  return unused;
}
int main(void) {
  pthread_t sender;
  pthread_create(&sender, 0, send, 0);
  while (*(volatile int*)&flag == 0) {
  }
  const int seen = data;
  pthread_join(sender, 0);
  return seen != 42;
}
END
run "$ordeal" test --executions 200 --volatile acq-rel --exit-code reader.c -- -DORDER=__ATOMIC_RELEASE && exits 0
run "$ordeal" test --executions 200 --volatile acq-rel reader.c -- -DORDER=__ATOMIC_RELAXED && exits 1
run "$ordeal" test --executions 200 --volatile relaxed reader.c -- -DORDER=__ATOMIC_RELEASE && exits 1

# Relaxed ones are ordered by fences beside them.
cat >fences.c <<'END'
#include <pthread.h>
static volatile int flag;
static int data;
static void* send(void* unused) {
  data = 42;
  __atomic_thread_fence(__ATOMIC_RELEASE);
  flag = 1;
  return unused;
}
int main(void) {
  pthread_t sender;
  pthread_create(&sender, 0, send, 0);
  while (flag == 0) {
  }
  __atomic_thread_fence(__ATOMIC_ACQUIRE);
  const int seen = data;
  pthread_join(sender, 0);
  return seen != 42;
}
END
run "$ordeal" test --executions 200 --volatile relaxed --exit-code fences.c && exits 0

# Who reads the second store learns nothing of the thread that made the first.
cat >second.c <<'END'
#include <pthread.h>
static volatile int flag;
static int data, turn;
static void* first(void* unused) {
  data = 42;
  flag = 1;
  __atomic_store_n(&turn, 1, __ATOMIC_RELAXED);
  return unused;
}
static void* second(void* unused) {
  while (__atomic_load_n(&turn, __ATOMIC_RELAXED) == 0) {
  }
  flag = 2;
  return unused;
}
int main(void) {
  pthread_t one, two;
  pthread_create(&one, 0, first, 0);
  pthread_create(&two, 0, second, 0);
  while (flag != 2) {
  }
  const int seen = data;
  pthread_join(one, 0);
  pthread_join(two, 0);
  return seen != 42;
}
END
run "$ordeal" test --executions 200 --volatile acq-rel second.c && exits 1
has stdout "data race on 'data'"

# Where no event stands between the two accesses of a race, their rows are in the order of execution: here the reader has seen the flag.
cat >order.cpp <<'END'
#include <thread>
volatile int ready;
int data;
int main() {
  std::thread other([] {
    data = 1;
    ready = 1;
  });
  if (ready != 0 && data == 0) return 1;
  other.join();
}
END
run "$ordeal" test --volatile relaxed --executions 100 order.cpp && exits 1
[[ $(grep '^>' stdout | grep -o 'order.cpp:[0-9]*' | tr '\n' ' ') == 'order.cpp:6 order.cpp:9 ' ]] || fail "the rows stand in another order"
